#include "runtime/objects/semaphore.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <limits.h>

namespace heddle::runtime {
namespace {

TEST(Semaphore, GivesOutItsPermits) {
  SemaphoreState semaphore = {.value = 1, .of_byte = false};
  const Answer taken = TakePermit(semaphore);
  EXPECT_EQ(taken.status, 0);
  EXPECT_EQ(taken.access, op::Access::kWrite);
  EXPECT_EQ(taken.acquires, Acquires::kReleased);
  EXPECT_FALSE(HasPermit(semaphore));

  const Answer refused = TryTakePermit(semaphore);
  EXPECT_EQ(refused.status, EAGAIN);
  EXPECT_EQ(refused.access, op::Access::kRead);
  EXPECT_EQ(refused.acquires, Acquires::kNothing);
}

// Posts commute, and what each of them publishes stays.
TEST(Semaphore, IsPosted) {
  SemaphoreState semaphore = {.value = 0, .of_byte = false};
  const Answer posted = PostPermit(semaphore);
  EXPECT_EQ(posted.access, op::Access::kShared);
  EXPECT_EQ(posted.releases, Releases::kInto);
  EXPECT_TRUE(HasPermit(semaphore));
  EXPECT_EQ(TryTakePermit(semaphore).status, 0);
}

// Of two posts with room for one, only the first succeeds.
TEST(Semaphore, PostsDoNotCommuteNearItsMaximum) {
  SemaphoreState semaphore = {.value = INT_MAX - 1, .of_byte = false};
  EXPECT_EQ(PostPermit(semaphore).access, op::Access::kWrite);
}

TEST(Semaphore, IsNotPostedBeyondItsMaximum) {
  SemaphoreState semaphore = {.value = INT_MAX, .of_byte = false};
  const Answer posted = PostPermit(semaphore);
  EXPECT_EQ(posted.status, EOVERFLOW);
  EXPECT_EQ(posted.access, op::Access::kRead);
  EXPECT_EQ(posted.releases, Releases::kNothing);
  EXPECT_EQ(semaphore.value, uint64_t{INT_MAX});
}

TEST(Semaphore, TellsItsValue) {
  const Answer counted = CountPermits({.value = 7, .of_byte = false});
  EXPECT_EQ(counted.value, 7u);
  EXPECT_EQ(counted.status, 0);
  EXPECT_EQ(counted.access, op::Access::kRead);
}

TEST(Semaphore, LetsThoseThroughWhoWaitAfterItsEnd) {
  SemaphoreState semaphore = {.value = 0, .of_byte = false};
  DestroySemaphore(semaphore);
  EXPECT_TRUE(HasPermit(semaphore));
}

}  // namespace
}  // namespace heddle::runtime
