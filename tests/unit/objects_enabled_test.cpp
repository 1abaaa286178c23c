#include "runtime/objects/enabled.h"

#include <gtest/gtest.h>

#include "runtime/objects/barrier.h"
#include "runtime/objects/mutex.h"
#include "runtime/objects/once.h"
#include "runtime/objects/rwlock.h"
#include "runtime/objects/semaphore.h"

namespace heddle::runtime {
namespace {

constexpr op::ThreadId kSelf = 1;
constexpr op::ThreadId kOther = 2;

constexpr auto kLetGo = [] { return true; };
constexpr auto kNotLetGo = [] { return false; };

bool CanGoOn(op::Kind kind, const Object& object) {
  return IsEnabled({.kind = kind}, &object, kSelf, kNotLetGo);
}

TEST(Enabled, WhatNeverWaits) {
  Object object;
  object.kind = ObjectKind::kMutex;
  object.mutex = FreeMutex();
  LockMutex(object.mutex, kOther);
  EXPECT_TRUE(CanGoOn(op::Kind::kMutexTryLock, object));
  EXPECT_TRUE(CanGoOn(op::Kind::kMutexUnlock, object));
  EXPECT_TRUE(IsEnabled({.kind = op::Kind::kAtomicLoad}, nullptr, kSelf, kNotLetGo));
}

TEST(Enabled, AMutexLocksWhenItIsFree) {
  Object object;
  object.kind = ObjectKind::kMutex;
  object.mutex = FreeMutex();
  EXPECT_TRUE(CanGoOn(op::Kind::kMutexLock, object));
  EXPECT_EQ(LevelOf(object), 0u);
  LockMutex(object.mutex, kOther);
  EXPECT_FALSE(CanGoOn(op::Kind::kMutexLock, object));
  EXPECT_FALSE(CanGoOn(op::Kind::kMutexTimedLock, object));
  EXPECT_EQ(LevelOf(object), 1u);
}

// Who waits for a condition variable must be signalled, and then wait for the mutex. It may hold a
// recursive one still, given up in part.
TEST(Enabled, AWaitEndsBySignalAndMutex) {
  Object object;
  object.kind = ObjectKind::kMutex;
  object.mutex = FreeMutex();
  op::Operation reacquire = {.kind = op::Kind::kCondReacquire};
  EXPECT_FALSE(IsEnabled(reacquire, &object, kSelf, kNotLetGo));
  EXPECT_TRUE(IsEnabled(reacquire, &object, kSelf, kLetGo));
  reacquire.detail = kStoppedWaiting;
  EXPECT_TRUE(IsEnabled(reacquire, &object, kSelf, kNotLetGo));
  LockMutex(object.mutex, kOther);
  EXPECT_FALSE(IsEnabled(reacquire, &object, kSelf, kLetGo));
  EXPECT_TRUE(IsEnabled(reacquire, &object, kOther, kLetGo));
}

TEST(Enabled, AReadWriteLockLocksBySide) {
  alignas(16) char memory[64];
  trace::Bump bump = {memory, memory, memory + sizeof memory};
  Object object;
  object.kind = ObjectKind::kRwLock;
  object.rwlock = FreeRwLock();
  LockRwLock(object.rwlock, RwSide::kRead, kOther, bump);
  EXPECT_TRUE(CanGoOn(op::Kind::kRwReadLock, object));
  EXPECT_FALSE(CanGoOn(op::Kind::kRwWriteLock, object));
  EXPECT_EQ(LevelOf(object), 1u);
  UnlockRwLock(object.rwlock, kOther);
  LockRwLock(object.rwlock, RwSide::kWrite, kOther, bump);
  EXPECT_FALSE(CanGoOn(op::Kind::kRwReadLock, object));
  EXPECT_EQ(LevelOf(object), op::kWriterHolds);
}

TEST(Enabled, ASemaphoreIsPositive) {
  Object object;
  object.kind = ObjectKind::kSemaphore;
  object.semaphore.value = 0;
  EXPECT_FALSE(CanGoOn(op::Kind::kSemWait, object));
  PostPermit(object.semaphore);
  EXPECT_TRUE(CanGoOn(op::Kind::kSemWait, object));
  EXPECT_EQ(LevelOf(object), 1u);
}

TEST(Enabled, ABarrierIsLeftWhenItsRoundIsOver) {
  Object object;
  object.kind = ObjectKind::kBarrier;
  object.barrier = NewBarrier(1);
  const op::Operation leave = {.kind = op::Kind::kBarrierLeave, .operand = object.barrier.round};
  EXPECT_FALSE(IsEnabled(leave, &object, kSelf, kNotLetGo));
  ArriveAt(object.barrier);
  EXPECT_TRUE(IsEnabled(leave, &object, kSelf, kNotLetGo));
}

TEST(Enabled, AnInitialisationWaitsForTheOneThatRuns) {
  Object object;
  object.kind = ObjectKind::kOnce;
  object.once = NewOnce(false, false);
  EXPECT_TRUE(CanGoOn(op::Kind::kOnceBegin, object));
  BeginOnce(object.once, kOther);
  EXPECT_FALSE(CanGoOn(op::Kind::kOnceBegin, object));
  EXPECT_EQ(LevelOf(object), 1u);
  EndOnce(object.once, false);
  EXPECT_TRUE(CanGoOn(op::Kind::kOnceBegin, object));
}

TEST(Enabled, OthersLetGoWhatNoObjectDecides) {
  for (const op::Kind kind :
       {op::Kind::kFutexWoken, op::Kind::kThreadJoin, op::Kind::kSignalWait}) {
    EXPECT_FALSE(IsEnabled({.kind = kind}, nullptr, kSelf, kNotLetGo));
    EXPECT_TRUE(IsEnabled({.kind = kind}, nullptr, kSelf, kLetGo));
  }
}

}  // namespace
}  // namespace heddle::runtime
