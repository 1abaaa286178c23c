#include "runtime/objects/futex.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <vector>

namespace heddle::runtime {
namespace {

constexpr uint32_t kAny = ~0u;

// A set of two of three is chosen as two numbers: how many are left out before each.
uint32_t First(uint32_t) { return 0; }
uint32_t Last(uint32_t options) { return options - 1; }

std::vector<op::ThreadId> ThreadsOf(const Waiter* list) {
  std::vector<op::ThreadId> threads;
  for (; list != nullptr; list = list->next) threads.push_back(list->thread);
  return threads;
}

using Threads = std::vector<op::ThreadId>;

// Three threads sleep, in the order of their numbers.
class Futex : public testing::Test {
 protected:
  Futex() {
    for (Waiter& waiter : waiters_) WaitOnFutex(futex_, waiter, 0);
  }
  Threads Sleepers() const { return ThreadsOf(futex_.sleepers.first); }

  Waiter waiters_[3] = {{.thread = 1, .bits = 1, .path = 1},
                        {.thread = 2, .bits = 2, .path = 2},
                        {.thread = 3, .bits = 1, .path = 3}};
  FutexState futex_ = {};
};

TEST_F(Futex, IsSleptAt) {
  Waiter waiter = {.thread = 4, .bits = kAny, .path = 4};
  const Answer answer = WaitOnFutex(futex_, waiter, 17);
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.value, 17u);
  EXPECT_EQ(answer.access, op::Access::kWrite);
  EXPECT_EQ(Sleepers(), (Threads{1, 2, 3, 4}));
}

TEST_F(Futex, IsOnlyReadIfItsWordIsAnother) {
  const Answer answer = FoundOtherWord(17);
  EXPECT_EQ(answer.status, -EAGAIN);
  EXPECT_EQ(answer.value, 17u);
  EXPECT_EQ(answer.access, op::Access::kRead);
}

TEST_F(Futex, WakesAnyOfItsSleepers) {
  const Answer first = WakeFutex(futex_, 1, kAny, First);
  EXPECT_EQ(first.status, 1);
  EXPECT_EQ(ThreadsOf(first.woken), (Threads{1}));
  EXPECT_EQ(ThreadsOf(WakeFutex(futex_, 1, kAny, Last).woken), (Threads{3}));
  EXPECT_EQ(Sleepers(), (Threads{2}));
}

// Waits that sleep commute: an option of a wake is the same thread, in whatever order they came.
TEST_F(Futex, NumbersItsSleepersByTheirPaths) {
  for (Waiter* sleeper : {&waiters_[0], &waiters_[1]}) {
    StopSleeping(futex_, *sleeper);
    WaitOnFutex(futex_, *sleeper, 0);
  }
  EXPECT_EQ(Sleepers(), (Threads{1, 2, 3}));
}

// Another set is another event.
TEST_F(Futex, WakesASet) {
  const Answer last = WakeFutex(futex_, 2, kAny, Last);
  EXPECT_EQ(last.status, 2);
  EXPECT_EQ(ThreadsOf(last.woken), (Threads{2, 3}));
  for (Waiter* woken : {&waiters_[1], &waiters_[2]}) WaitOnFutex(futex_, *woken, 0);
  EXPECT_NE(WakeFutex(futex_, 2, kAny, First).extra, last.extra);
}

TEST_F(Futex, WakesNoMoreThanSleep) {
  const Answer all = WakeFutex(futex_, 100, kAny, First);
  EXPECT_EQ(all.status, 3);
  EXPECT_EQ(all.access, op::Access::kWrite);
  const Answer none = WakeFutex(futex_, 100, kAny, First);
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.access, op::Access::kRead);
  EXPECT_EQ(none.woken, nullptr);
}

TEST_F(Futex, WakesThoseWithTheBits) {
  EXPECT_EQ(ThreadsOf(WakeFutex(futex_, 100, 1, First).woken), (Threads{1, 3}));
  EXPECT_EQ(Sleepers(), (Threads{2}));
}

TEST_F(Futex, IsLeftInTime) {
  StopSleeping(futex_, waiters_[0]);
  EXPECT_EQ(Sleepers(), (Threads{2, 3}));
}

TEST_F(Futex, MovesSleepersToAnother) {
  WaiterQueue moved = {};
  const Answer answer = RequeueFutex(futex_, 1, 1, First, moved);
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(ThreadsOf(answer.woken), (Threads{1}));
  EXPECT_EQ(Sleepers(), (Threads{3}));

  FutexState target = {};
  MoveTo(target, moved);
  EXPECT_EQ(ThreadsOf(target.sleepers.first), (Threads{2}));
  EXPECT_EQ(moved.count, 0u);
}

}  // namespace
}  // namespace heddle::runtime
