#include "runtime/objects/mutex.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>

namespace heddle::runtime {
namespace {

MutexState MutexOf(int type, bool robust = false) {
  MutexState mutex = FreeMutex();
  mutex.type = static_cast<uint8_t>(type);
  mutex.robust = robust;
  return mutex;
}

MutexState LockedBy(op::ThreadId thread, int type = PTHREAD_MUTEX_NORMAL) {
  MutexState mutex = MutexOf(type);
  LockMutex(mutex, thread);
  return mutex;
}

TEST(Mutex, IsTakenAndGivenBack) {
  MutexState mutex = FreeMutex();
  const Answer locked = LockMutex(mutex, 1);
  EXPECT_EQ(locked.status, 0);
  EXPECT_EQ(locked.access, op::Access::kWrite);
  EXPECT_EQ(locked.acquires, Acquires::kReleased);
  EXPECT_EQ(locked.releases, Releases::kNothing);
  EXPECT_FALSE(CanLock(mutex, 2));
  EXPECT_FALSE(CanLock(mutex, 1));

  const Answer unlocked = UnlockMutex(mutex, 1);
  EXPECT_EQ(unlocked.status, 0);
  EXPECT_EQ(unlocked.releases, Releases::kAs);
  EXPECT_TRUE(CanLock(mutex, 2));
}

TEST(Mutex, RefusesAnAttemptWhileItIsLocked) {
  MutexState mutex = LockedBy(1);
  for (const op::ThreadId thread : {1u, 2u}) {
    const Answer tried = TryLockMutex(mutex, thread);
    EXPECT_EQ(tried.status, EBUSY);
    EXPECT_EQ(tried.access, op::Access::kRead);
    EXPECT_EQ(tried.acquires, Acquires::kNothing);
  }
  EXPECT_EQ(mutex.owner, 1u);
  EXPECT_EQ(mutex.count, 1u);
}

TEST(Mutex, NestsIfItIsRecursive) {
  MutexState mutex = LockedBy(1, PTHREAD_MUTEX_RECURSIVE);
  EXPECT_TRUE(CanLock(mutex, 1));
  EXPECT_EQ(LockMutex(mutex, 1).acquires, Acquires::kNothing);
  EXPECT_EQ(TryLockMutex(mutex, 1).status, 0);
  EXPECT_EQ(mutex.count, 3u);
  EXPECT_EQ(UnlockMutex(mutex, 1).releases, Releases::kNothing);
  EXPECT_EQ(UnlockMutex(mutex, 1).releases, Releases::kNothing);
  EXPECT_FALSE(IsFree(mutex));
  EXPECT_EQ(UnlockMutex(mutex, 1).releases, Releases::kAs);
  EXPECT_TRUE(IsFree(mutex));
}

TEST(Mutex, AnswersErrorsIfItChecks) {
  MutexState mutex = LockedBy(1, PTHREAD_MUTEX_ERRORCHECK);
  EXPECT_TRUE(CanLock(mutex, 1));
  EXPECT_EQ(LockMutex(mutex, 1).status, EDEADLK);
  EXPECT_EQ(UnlockMutex(mutex, 2).status, EPERM);
  EXPECT_EQ(UnlockMutex(mutex, 2).access, op::Access::kRead);
  EXPECT_EQ(mutex.owner, 1u);
}

TEST(Mutex, IsMisusedByUnlockingWhatAnotherHolds) {
  MutexState free = FreeMutex();
  EXPECT_EQ(UnlockMutex(free, 1).misuse, Misuse::kNotLocked);

  MutexState locked = LockedBy(2);
  const Answer answer = UnlockMutex(locked, 1);
  EXPECT_EQ(answer.misuse, Misuse::kLockedBy);
  EXPECT_EQ(answer.other, 2u);
  EXPECT_EQ(locked.owner, 2u);
}

TEST(Mutex, IsNewWhenInitialisedThoughHeld) {
  MutexState mutex = LockedBy(2);
  InitialiseMutex(mutex, 1);
  EXPECT_TRUE(IsFree(mutex));
  EXPECT_EQ(UnlockMutex(mutex, 2).misuse, Misuse::kInitialisedSince);

  MutexState own = LockedBy(1);
  InitialiseMutex(own, 1);
  EXPECT_EQ(UnlockMutex(own, 1).misuse, Misuse::kNotLocked);
}

TEST(Mutex, IsDestroyedOnlyWhenFree) {
  EXPECT_EQ(DestroyMutex(FreeMutex()).status, 0);
  EXPECT_EQ(DestroyMutex(LockedBy(1, PTHREAD_MUTEX_ERRORCHECK)).status, EBUSY);
  EXPECT_EQ(DestroyMutex(LockedBy(3)).misuse, Misuse::kLockedBy);
  EXPECT_EQ(DestroyMutex(LockedBy(3)).other, 3u);
}

TEST(Mutex, TellsTheNextOwnerThatTheLastOneEnded) {
  MutexState mutex = MutexOf(PTHREAD_MUTEX_NORMAL, true);
  LockMutex(mutex, 1);
  EXPECT_EQ(OwnerEnded(mutex).releases, Releases::kAs);
  const Answer locked = LockMutex(mutex, 2);
  EXPECT_EQ(locked.status, EOWNERDEAD);
  EXPECT_EQ(locked.acquires, Acquires::kReleased);
  EXPECT_EQ(MakeConsistent(mutex, 1), EINVAL);
  EXPECT_EQ(MakeConsistent(mutex, 2), 0);
  EXPECT_EQ(MakeConsistent(mutex, 2), EINVAL);
  UnlockMutex(mutex, 2);
  EXPECT_EQ(LockMutex(mutex, 3).status, 0);
}

TEST(Mutex, IsLostIfNobodyMakesItConsistent) {
  MutexState mutex = MutexOf(PTHREAD_MUTEX_NORMAL, true);
  LockMutex(mutex, 1);
  OwnerEnded(mutex);
  LockMutex(mutex, 2);
  UnlockMutex(mutex, 2);
  const Answer locked = LockMutex(mutex, 3);
  EXPECT_EQ(locked.status, ENOTRECOVERABLE);
  EXPECT_EQ(locked.acquires, Acquires::kNothing);
  EXPECT_TRUE(IsFree(mutex));
}

TEST(Mutex, IsGivenUpByOneLevelToWait) {
  MutexState mutex = LockedBy(1);
  EXPECT_EQ(GiveUpMutex(mutex).releases, Releases::kAs);
  EXPECT_TRUE(IsFree(mutex));
  EXPECT_EQ(TakeMutexAgain(mutex, 1).acquires, Acquires::kReleased);
  EXPECT_EQ(mutex.owner, 1u);

  MutexState twice = LockedBy(1, PTHREAD_MUTEX_RECURSIVE);
  LockMutex(twice, 1);
  EXPECT_EQ(GiveUpMutex(twice).releases, Releases::kNothing);
  EXPECT_EQ(twice.owner, 1u);
  EXPECT_EQ(TakeMutexAgain(twice, 1).acquires, Acquires::kNothing);
  EXPECT_EQ(twice.count, 2u);
}

}  // namespace
}  // namespace heddle::runtime
