#include "runtime/objects/once.h"

#include <gtest/gtest.h>

namespace heddle::runtime {
namespace {

TEST(Once, IsRunByTheFirstThatComes) {
  OnceState once = NewOnce(false, false);
  const Answer first = BeginOnce(once, 1);
  EXPECT_EQ(first.value, 1u);
  EXPECT_EQ(first.access, op::Access::kWrite);
  EXPECT_TRUE(IsRunning(once));
  EXPECT_EQ(once.runner, 1u);

  const Answer ended = EndOnce(once, true);
  EXPECT_EQ(ended.releases, Releases::kAs);
  EXPECT_EQ(ended.value, 1u);
  EXPECT_TRUE(IsDone(once));

  const Answer second = BeginOnce(once, 2);
  EXPECT_EQ(second.value, 0u);
  EXPECT_EQ(second.access, op::Access::kRead);
  EXPECT_EQ(second.acquires, Acquires::kReleased);
}

TEST(Once, IsRunAgainIfItWasLeftByAnException) {
  OnceState once = NewOnce(false, false);
  BeginOnce(once, 1);
  EXPECT_EQ(EndOnce(once, false).value, 0u);
  EXPECT_FALSE(IsDone(once));
  EXPECT_FALSE(IsRunning(once));
  EXPECT_EQ(BeginOnce(once, 2).value, 1u);
}

}  // namespace
}  // namespace heddle::runtime
