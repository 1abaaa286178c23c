#include "runtime/objects/spin_lock.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace heddle::runtime {
namespace {

TEST(SpinLock, IsTakenAndGivenBack) {
  MutexState lock = FreeMutex();
  EXPECT_EQ(LockSpinLock(lock, 1).acquires, Acquires::kReleased);
  EXPECT_FALSE(IsFree(lock));
  const Answer unlocked = UnlockSpinLock(lock, 1);
  EXPECT_EQ(unlocked.releases, Releases::kAs);
  EXPECT_EQ(unlocked.access, op::Access::kWrite);
  EXPECT_TRUE(IsFree(lock));
}

TEST(SpinLock, RefusesAnAttemptWhileItIsLocked) {
  MutexState lock = FreeMutex();
  EXPECT_EQ(TryLockSpinLock(lock, 1).status, 0);
  for (const op::ThreadId thread : {1u, 2u}) {
    const Answer tried = TryLockSpinLock(lock, thread);
    EXPECT_EQ(tried.status, EBUSY);
    EXPECT_EQ(tried.access, op::Access::kRead);
  }
}

TEST(SpinLock, IsMisusedByUnlockingWhatOneDoesNotHold) {
  MutexState lock = FreeMutex();
  EXPECT_EQ(UnlockSpinLock(lock, 1).misuse, Misuse::kNotLockedByIt);
  LockSpinLock(lock, 2);
  EXPECT_EQ(UnlockSpinLock(lock, 1).misuse, Misuse::kNotLockedByIt);
  EXPECT_EQ(lock.owner, 2u);
}

TEST(SpinLock, IsDestroyedOnlyWhenFree) {
  MutexState lock = FreeMutex();
  EXPECT_EQ(DestroySpinLock(lock).misuse, Misuse::kNone);
  LockSpinLock(lock, 2);
  EXPECT_EQ(DestroySpinLock(lock).misuse, Misuse::kLockedBy);
  EXPECT_EQ(DestroySpinLock(lock).other, 2u);
}

}  // namespace
}  // namespace heddle::runtime
