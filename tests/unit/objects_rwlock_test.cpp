#include "runtime/objects/rwlock.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace heddle::runtime {
namespace {

class ReadWriteLock : public testing::Test {
 protected:
  ReadWriteLock() {
    bump_.begin = bump_.cursor = memory_;
    bump_.end = memory_ + sizeof memory_;
  }

  Answer Lock(RwSide side, op::ThreadId thread) { return LockRwLock(lock_, side, thread, bump_); }
  Answer TryLock(RwSide side, op::ThreadId thread) {
    return TryLockRwLock(lock_, side, thread, bump_);
  }

  RwLockState lock_ = FreeRwLock();

 private:
  alignas(16) char memory_[1024];
  trace::Bump bump_;
};

TEST_F(ReadWriteLock, HasManyReaders) {
  for (const op::ThreadId thread : {1u, 2u, 2u}) {
    EXPECT_TRUE(CanLock(lock_, RwSide::kRead, thread));
    const Answer locked = Lock(RwSide::kRead, thread);
    EXPECT_EQ(locked.access, op::Access::kShared);
    EXPECT_EQ(locked.acquires, Acquires::kReleased);
  }
  EXPECT_EQ(lock_.readers, 3u);
  EXPECT_FALSE(CanLock(lock_, RwSide::kWrite, 3));
  EXPECT_EQ(TryLock(RwSide::kWrite, 3).status, EBUSY);
}

// What readers release, writers learn, and no readers.
TEST_F(ReadWriteLock, IsFreeForAWriterAfterTheLastReader) {
  for (const op::ThreadId thread : {1u, 2u, 2u}) Lock(RwSide::kRead, thread);
  for (const op::ThreadId thread : {2u, 1u, 2u}) {
    EXPECT_FALSE(CanLock(lock_, RwSide::kWrite, 3));
    const Answer unlocked = UnlockRwLock(lock_, thread);
    EXPECT_EQ(unlocked.access, op::Access::kShared);
    EXPECT_EQ(unlocked.releases, Releases::kAsReader);
  }
  EXPECT_TRUE(CanLock(lock_, RwSide::kWrite, 3));
  EXPECT_EQ(Lock(RwSide::kWrite, 3).acquires, Acquires::kReadersToo);
}

TEST_F(ReadWriteLock, HasOneWriter) {
  EXPECT_EQ(Lock(RwSide::kWrite, 1).access, op::Access::kWrite);
  for (const RwSide side : {RwSide::kRead, RwSide::kWrite}) {
    EXPECT_FALSE(CanLock(lock_, side, 2));
    const Answer tried = TryLock(side, 2);
    EXPECT_EQ(tried.status, EBUSY);
    EXPECT_EQ(tried.access, op::Access::kRead);
    EXPECT_EQ(tried.acquires, Acquires::kNothing);
  }
  EXPECT_EQ(UnlockRwLock(lock_, 1).releases, Releases::kAs);
  EXPECT_TRUE(CanLock(lock_, RwSide::kWrite, 2));
}

TEST_F(ReadWriteLock, TellsItsWriterThatItWouldWaitForItself) {
  Lock(RwSide::kWrite, 1);
  for (const RwSide side : {RwSide::kRead, RwSide::kWrite}) {
    EXPECT_TRUE(CanLock(lock_, side, 1));
    EXPECT_EQ(Lock(side, 1).status, EDEADLK);
    EXPECT_EQ(TryLock(side, 1).status, EBUSY);
  }
  EXPECT_EQ(lock_.readers, 0u);
}

TEST_F(ReadWriteLock, IsMisusedByUnlockingWhatOneDoesNotHold) {
  EXPECT_EQ(UnlockRwLock(lock_, 1).misuse, Misuse::kNotLockedByIt);
  Lock(RwSide::kRead, 1);
  EXPECT_EQ(UnlockRwLock(lock_, 2).misuse, Misuse::kNotLockedByIt);
  EXPECT_TRUE(Holds(lock_, 1));
  UnlockRwLock(lock_, 1);
  EXPECT_EQ(UnlockRwLock(lock_, 1).misuse, Misuse::kNotLockedByIt);
}

TEST_F(ReadWriteLock, IsDestroyedOnlyWhenFree) {
  EXPECT_EQ(DestroyRwLock(lock_).misuse, Misuse::kNone);
  Lock(RwSide::kRead, 1);
  EXPECT_EQ(DestroyRwLock(lock_).misuse, Misuse::kLocked);
  UnlockRwLock(lock_, 1);
  Lock(RwSide::kWrite, 1);
  EXPECT_EQ(DestroyRwLock(lock_).misuse, Misuse::kLocked);
}

}  // namespace
}  // namespace heddle::runtime
