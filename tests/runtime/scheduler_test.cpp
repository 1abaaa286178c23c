// The step loop (steps/scheduler.h) and its choice points: who is open, who goes on by default,
// and what is no choice at all. In the drawings time runs downwards; h is a scheduling point and
// nothing else.

#include <gtest/gtest.h>

#include "runtime/runtime.h"
#include "small_program.h"

namespace heddle::runtime {
namespace {

using plan::Deviation;
using plan::Plan;
using trace::EndKind;

const trace::Execution& RunWith(const std::vector<Body>& threads,
                                const std::vector<Deviation>& deviations) {
  Plan plan;
  plan.deviations = deviations;
  return RunOnce(threads, plan);
}

//   T1  T2       by default a thread runs until it ends: the first two steps are chosen, and then
//   h            only one thread is left
//   h
//       h
//       h
TEST(Scheduler, AThreadRunsUntilItEnds) {
  const trace::Execution& run = RunOnce({kTwice, kTwice});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 1 (2) (2)");
  EXPECT_EQ(OptionsOf(run, 0), "1,2");
  EXPECT_EQ(run.choices.size(), 2u);
  EXPECT_EQ(run.preemptions, 0u);
  EXPECT_EQ(run.created, 3u);
}

//   T1  T2       choice 1 leaves T1, which could go on: a preemption. T2, which ran last, keeps the
//   h            turn
//       h
//       h
//   h
TEST(Scheduler, APreemptionLeavesAThreadThatCouldGoOn) {
  const trace::Execution& run = RunWith({kTwice, kTwice}, {{1, 2}});
  EXPECT_EQ(StepsOf(run), "1 2* 2 (1)");
  EXPECT_EQ(run.preemptions, 1u);
  EXPECT_EQ(run.switches, 3u);  // main to T1 to T2 to T1
  EXPECT_TRUE(run.choices[1].running_open);
  EXPECT_EQ(run.choices[1].running, 1u);
}

//   T1  T2  T3   after T2 the next in turn is T3, then T1: round robin
//       h
//           h
//   h
TEST(Scheduler, TheNextInTurnFollowsTheOneThatEnded) {
  const trace::Execution& run = RunWith({kOnce, kOnce, kOnce}, {{0, 2}});
  EXPECT_EQ(StepsOf(run), "2* 3 (1)");
  EXPECT_EQ(OptionsOf(run, 0), "1,2,3");
  EXPECT_EQ(OptionsOf(run, 1), "1,3");
  EXPECT_EQ(run.preemptions, 0u);
}

// What comes before a thread's first operation runs at once, before any choice, in the order in
// which the threads were created.
TEST(Scheduler, LocalStepsComeBeforeAnyChoice) {
  static std::string order;
  order.clear();
  const auto tell = [](char before, char after) {
    return [=] {
      order += before;
      Hook();
      order += after;
    };
  };
  RunWith({tell('a', 'A'), tell('b', 'B'), tell('c', 'C')}, {{0, 3}});
  EXPECT_EQ(order, "abcCAB");
}

//   T1      T2
//   lock m          here T2 is not enabled: no choice
//   h
//   unlock m
//           lock m
//           unlock m
TEST(Scheduler, WhoWaitsForAMutexIsNotOpen) {
  Memory memory;
  const Body holds = [&] {
    Lock(memory.m);
    Hook();
    Unlock(memory.m);
  };
  const Body locks = [&] {
    Lock(memory.m);
    Unlock(memory.m);
  };
  const trace::Execution& run = RunOnce({holds, locks});
  EXPECT_EQ(StepsOf(run), "1 (1) (1) (2) (2)");
  // The other way round T1 is enabled again as soon as T2 has unlocked, and ended.
  EXPECT_EQ(StepsOf(RunWith({holds, locks}, {{0, 2}})), "2* (2) (1) (1) (1)");
}

//   T1      T2
//   lock m
//           lock n
//   lock n  lock m    both wait
TEST(Scheduler, WhenNobodyCanGoOnItIsADeadlock) {
  Memory memory, other;
  const auto nested = [](Memory& first, Memory& second) {
    return [&] {
      Lock(first.m);
      Lock(second.m);
    };
  };
  const trace::Execution& run = RunWith({nested(memory, other), nested(other, memory)}, {{1, 2}});
  EXPECT_EQ(run.ending.kind, EndKind::kDeadlock);
  EXPECT_EQ(StepsOf(run), "1 2*");
  EXPECT_EQ(run.pending[1].object, NumberOf(other.m));
  EXPECT_EQ(run.pending[2].object, NumberOf(memory.m));
  EXPECT_EQ(run.pending[2].kind, op::Kind::kMutexLock);
}

//   T1     T2
//   yield  h       T1 stands at a yield: the others go first, at no cost
//          h
//   (yield)
//   h
TEST(Scheduler, AtAYieldOthersGoFirst) {
  const Body yields = [] {
    Yield();
    Hook();
  };
  const trace::Execution& run = RunOnce({yields, kTwice});
  EXPECT_EQ(StepsOf(run), "2 2 (1) (1)");
  EXPECT_EQ(OptionsOf(run, 0), "1,2");  // T1 is enabled nevertheless
  EXPECT_EQ(run.preemptions, 0u);
}

//   T1        T2
//   h               choice 0
//   yield           choices 1 to 5: going on at a yield is free four times in a row
//   ... yield       (plan::kFreeStays), and the fifth time costs a preemption
//             h
TEST(Scheduler, GoingOnAtAYieldIsFreeAFewTimes) {
  const Body yields = [] {
    Hook();
    for (int i = 0; i < 5; ++i) Yield();
  };
  const trace::Execution& run = RunWith({yields, kOnce}, {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
  EXPECT_EQ(StepsOf(run), "1 1* 1* 1* 1* 1* (2)");
  EXPECT_FALSE(run.choices[0].stays_free);
  for (size_t i = 1; i <= plan::kFreeStays; ++i) EXPECT_TRUE(run.choices[i].stays_free) << i;
  EXPECT_FALSE(run.choices[5].stays_free);
  EXPECT_EQ(run.preemptions, 1u);
}

//   T1            T2
//   begin               choice 0
//     h                 in the section T1 goes on without a choice
//     h
//   end
//                 h     choice 1: before T1's last
//   h
TEST(Scheduler, ASectionIsOneStep) {
  const Body section = [] {
    BeginSection();
    Hook();
    Hook();
    EndSection();
    Hook();
  };
  const trace::Execution& run = RunWith({section, kOnce}, {{1, 2}});
  EXPECT_EQ(StepsOf(run), "1 2* (1)");
  ASSERT_EQ(run.EventsOf(1).size(), 4u);  // begin, h, h, end
  EXPECT_EQ(run.EventsOf(1)[0].kind, op::Kind::kAtomicBegin);
  EXPECT_EQ(run.EventsOf(1)[3].kind, op::Kind::kAtomicEnd);
}

//   T1            T2
//                 lock m
//   begin                      T1's step ends where it has to wait, with a look at the mutex
//     (looks at m)
//                 h
//                 unlock m
//     lock m
//     unlock m
//   end
TEST(Scheduler, AStepOfASectionEndsWhereItWaits) {
  Memory memory;
  const Body section = [&] {
    BeginSection();
    Lock(memory.m);
    Unlock(memory.m);
    EndSection();
  };
  const Body holds = [&] {
    Lock(memory.m);
    Hook();
    Unlock(memory.m);
  };
  const trace::Execution& run = RunWith({section, holds}, {{0, 2}, {1, 1}});
  EXPECT_EQ(StepsOf(run), "2* 1* (2) (2) (1)");
  ASSERT_EQ(run.EventsOf(2).size(), 2u);
  EXPECT_EQ(run.EventsOf(2)[0].kind, op::Kind::kAtomicBegin);
  EXPECT_EQ(run.EventsOf(2)[1].kind, op::Kind::kHook);
  EXPECT_EQ(run.EventsOf(2)[1].access, op::Access::kRead);
  EXPECT_EQ(run.EventsOf(2)[1].object, NumberOf(memory.m));
  EXPECT_EQ(run.EventsOf(5)[0].kind, op::Kind::kMutexLock);
  EXPECT_EQ(run.EventsOf(5)[2].kind, op::Kind::kAtomicEnd);
}

class TimeLimits : public testing::Test {
 protected:
  // T1 waits for m for 100 ns, T2 holds it meanwhile.
  const trace::Execution& RunWaiting(const std::vector<Deviation>& deviations) {
    const Body waits = [this] {
      got_it_ = LockWithin(memory_.m, 100);
      then_ = Now();
    };
    const Body holds = [this] {
      Lock(memory_.m);
      Hook();
      Unlock(memory_.m);
    };
    return RunWith({waits, holds}, deviations);
  }
  ~TimeLimits() override { g_timeouts_last = false; }

  Memory memory_;
  bool got_it_ = false;
  uint64_t then_ = 0;
};

//   T1           T2
//                lock m
//                h         T1's time may pass now, early: an option, but not the default
//                unlock m
//   lock m
TEST_F(TimeLimits, ATimeLimitMayPassEarly) {
  const trace::Execution& run = RunWaiting({{0, 2}});
  EXPECT_EQ(StepsOf(run), "2* 2 2 (1)");
  EXPECT_EQ(OptionsOf(run, 0), "1,2");
  EXPECT_EQ(OptionsOf(run, 1), "1,2 early 1");
  EXPECT_EQ(OptionsOf(run, 2), "1,2 early 1");
  EXPECT_EQ(run.early_timeouts, 0u);
  EXPECT_TRUE(got_it_);
  EXPECT_EQ(then_, 0u);
}

//   T1           T2
//                lock m
//   (time out)             at 100 ns
//                h
//                unlock m
TEST_F(TimeLimits, ThenTheWaitFails) {
  const trace::Execution& run = RunWaiting({{0, 2}, {1, 1}});
  EXPECT_EQ(StepsOf(run), "2* 1* (2) (2)");
  EXPECT_EQ(run.early_timeouts, 1u);
  EXPECT_EQ(run.preemptions, 0u);  // counted once
  EXPECT_FALSE(got_it_);
  EXPECT_EQ(then_, 100u);
}

// With --timeouts last it is no option as long as somebody can go on.
TEST_F(TimeLimits, OrNotBeforeNothingElseCanRun) {
  g_timeouts_last = true;
  const trace::Execution& run = RunWaiting({{0, 2}});
  EXPECT_EQ(StepsOf(run), "2* (2) (2) (1)");
  EXPECT_TRUE(got_it_);
}

//   T1                    T2
//   lock m
//   lock m within 100     lock m within 50     nobody else can go on: neither is early, and the
//                         (time out)           earlier deadline is the default
//   (time out)
class DeadlinesTest : public TimeLimits {
 protected:
  const trace::Execution& RunUntilTimePasses(uint64_t first, uint64_t second) {
    const auto waits = [this](uint64_t limit) {
      LockWithin(memory_.m, limit);
      then_ = Now();
    };
    return RunOnce({[=, this] {
                      Lock(memory_.m);
                      waits(first);
                    },
                    [=] { waits(second); }});
  }
};

TEST_F(DeadlinesTest, TheEarliestPassesFirst) {
  const trace::Execution& run = RunUntilTimePasses(100, 50);
  EXPECT_EQ(StepsOf(run), "1 2 (1)");
  EXPECT_EQ(OptionsOf(run, 1), "1,2");
  EXPECT_EQ(run.early_timeouts, 0u);
  EXPECT_EQ(then_, 100u);
}

// With --timeouts last only the earliest can pass, and a step at which time passes comes after all
// steps before it.
TEST_F(DeadlinesTest, OnlyTheEarliestCanPass) {
  g_timeouts_last = true;
  const trace::Execution& run = RunUntilTimePasses(100, 50);
  EXPECT_EQ(StepsOf(run), "1 (2) (1)");
  EXPECT_EQ(run.steps[1].time_passes, 0u);
  EXPECT_EQ(run.steps[2].time_passes, 1u);
  EXPECT_EQ(run.steps[3].time_passes, 1u);
}

TEST_F(DeadlinesTest, EqualOnesAreAChoice) {
  g_timeouts_last = true;
  const trace::Execution& run = RunUntilTimePasses(50, 50);
  EXPECT_EQ(StepsOf(run), "1 1 (2)");
  EXPECT_EQ(OptionsOf(run, 1), "1,2");
  EXPECT_EQ(then_, 50u);
}

//   T1: one of 0, 1, 2. A choice that is not of a thread; by default 0.
TEST(ChoicePoint, OptionsOtherThanThreads) {
  static uint32_t chosen;
  const Body chooses = [] { chosen = Choose(3); };
  const trace::Execution& run = RunOnce({chooses});
  EXPECT_EQ(StepsOf(run), "(1)");
  ASSERT_EQ(run.choices.size(), 1u);
  EXPECT_EQ(OptionsOf(run, 0), "of 3");
  EXPECT_EQ(run.choices[0].kind, trace::ChoiceKind::kValue);
  EXPECT_EQ(run.choices[0].running, 1u);
  EXPECT_EQ(chosen, 0u);
  RunWith({chooses}, {{0, 2}});
  EXPECT_EQ(chosen, 2u);
  // One option is no choice.
  EXPECT_EQ(RunOnce({[] { Choose(1); }}).choices.size(), 0u);
}

//   T1        T2
//   x = 1
//   ...
//   x = 10001
//             h      T1 has made so many in a row that T2 goes first, as at a yield
//   x = 10002
TEST(Scheduler, ATimeSliceEnds) {
  constexpr uint32_t kSlice = 10'000;  // the step that switches to it, and so many more
  Memory memory;
  const Body busy = [&] {
    for (uint32_t i = 0; i < kSlice + 2; ++i) Store(memory.x, i + 1);
  };
  const trace::Execution& run = RunOnce({busy, kOnce});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  ASSERT_EQ(run.steps.size(), 1 + kSlice + 3);
  EXPECT_EQ(run.steps[kSlice + 1].thread, 1u);
  EXPECT_EQ(run.steps[kSlice + 2].thread, 2u);
  EXPECT_EQ(run.steps[kSlice + 3].thread, 1u);
  EXPECT_EQ(run.preemptions, 0u);
}

}  // namespace
}  // namespace heddle::runtime
