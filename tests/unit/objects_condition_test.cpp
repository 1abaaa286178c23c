#include "runtime/objects/condition.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include "runtime/objects/mutex.h"

namespace heddle::runtime {
namespace {

constexpr uintptr_t kMutex = 0x1000;
constexpr uintptr_t kAnotherMutex = 0x2000;

Waiter WaiterOf(op::ThreadId thread, uintptr_t mutex = kMutex) {
  return {.thread = thread, .with = mutex};
}

MutexState LockedBy(op::ThreadId thread) {
  MutexState mutex = FreeMutex();
  LockMutex(mutex, thread);
  return mutex;
}

// Three threads wait, in the order of their numbers.
class Condition : public testing::Test {
 protected:
  Condition() {
    for (Waiter& waiter : waiters_) BeginToWait(condition_, waiter);
  }

  Waiter waiters_[3] = {WaiterOf(1), WaiterOf(2), WaiterOf(3)};
  ConditionState condition_ = {};
};

TEST_F(Condition, LetsAnyOfItsWaitersGo) {
  const Answer answer = Signal(condition_, 1);
  EXPECT_EQ(answer.access, op::Access::kWrite);
  EXPECT_EQ(answer.value, 2u);
  ASSERT_EQ(answer.woken, &waiters_[1]);
  EXPECT_EQ(answer.woken->next, nullptr);
  EXPECT_EQ(condition_.waiters.count, 2u);
  EXPECT_EQ(Signal(condition_, 1).woken, &waiters_[2]);
  EXPECT_EQ(Signal(condition_, 0).woken, &waiters_[0]);
}

TEST_F(Condition, LetsAllOfThemGoInOrder) {
  const Answer answer = Broadcast(condition_);
  EXPECT_EQ(answer.value, 3u);
  ASSERT_EQ(answer.woken, &waiters_[0]);
  EXPECT_EQ(answer.woken->next, &waiters_[1]);
  EXPECT_EQ(waiters_[2].next, nullptr);
  EXPECT_EQ(condition_.waiters.count, 0u);
}

// Which commutes with others like it.
TEST_F(Condition, LosesSignalsWhenNobodyWaits) {
  ConditionState condition = {};
  for (const Answer& answer : {Signal(condition, 0), Broadcast(condition)}) {
    EXPECT_EQ(answer.access, op::Access::kRead);
    EXPECT_EQ(answer.woken, nullptr);
  }
  EXPECT_EQ(condition.signals, 2u);
}

TEST_F(Condition, ForgetsWhoStopsWaiting) {
  StopWaiting(condition_, waiters_[1]);
  EXPECT_EQ(Signal(condition_, 1).woken, &waiters_[2]);
  StopWaiting(condition_, waiters_[0]);
  EXPECT_EQ(Signal(condition_, 0).access, op::Access::kRead);
}

TEST_F(Condition, IsWaitedOnByTheOwnerOfTheMutex) {
  EXPECT_EQ(CheckWait(condition_, LockedBy(4), WaiterOf(4)).misuse, Misuse::kNone);
  EXPECT_EQ(CheckWait(condition_, LockedBy(9), WaiterOf(4)).misuse, Misuse::kMutexNotLockedByIt);
  EXPECT_EQ(CheckWait(condition_, FreeMutex(), WaiterOf(4)).misuse, Misuse::kMutexNotLockedByIt);

  MutexState checking = FreeMutex();
  checking.type = PTHREAD_MUTEX_ERRORCHECK;
  const Answer answer = CheckWait(condition_, checking, WaiterOf(4));
  EXPECT_EQ(answer.status, EPERM);
  EXPECT_EQ(answer.access, op::Access::kRead);
}

TEST_F(Condition, IsWaitedOnWithOneMutex) {
  const Answer answer = CheckWait(condition_, LockedBy(4), WaiterOf(4, kAnotherMutex));
  EXPECT_EQ(answer.misuse, Misuse::kOtherMutex);
  EXPECT_EQ(answer.other, 1u);
  Broadcast(condition_);
  EXPECT_EQ(CheckWait(condition_, LockedBy(4), WaiterOf(4, kAnotherMutex)).misuse, Misuse::kNone);
}

TEST_F(Condition, MayNotEndWhileSomebodyWaits) {
  EXPECT_EQ(DestroyCondition(condition_).misuse, Misuse::kWaitedOn);
  EXPECT_EQ(InitialiseCondition(condition_).misuse, Misuse::kWaitedOn);
  EXPECT_EQ(InitialiseCondition(condition_).other, 1u);
  EXPECT_EQ(condition_.waiters.count, 3u);
  Broadcast(condition_);
  EXPECT_EQ(DestroyCondition(condition_).misuse, Misuse::kNone);
}

}  // namespace
}  // namespace heddle::runtime
