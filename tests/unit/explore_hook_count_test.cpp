// Which calls of heddle_hook an execution makes that no execution before it has made
// (explore/hook_count.h): by hand, of two threads with two statements each.
#include "explore/hook_count.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::explore {
namespace {

using op::Kind;

trace::Event EventOf(op::ThreadId thread, Kind kind, op::ThreadId other) {
  trace::Event event = {};
  event.thread = thread;
  event.kind = kind;
  event.object = trace::kNoObject;
  event.other = other;
  return event;
}

class Executed {
 public:
  // main, thread 0, has created threads 1 and 2, and waits for them.
  Executed() {
    events_.push_back(EventOf(0, Kind::kThreadCreate, 1));
    events_.push_back(EventOf(0, Kind::kThreadCreate, 2));
    pending_[0].kind = Kind::kThreadJoin;
    pending_[1].kind = pending_[2].kind = Kind::kHook;
    execution_.hooks = 2;
  }

  // A statement of `thread`, which had to be chosen; `calls`: it ends before another one.
  void Step(op::ThreadId thread, bool calls) {
    trace::Choice choice = {};
    choice.kind = trace::ChoiceKind::kThread;
    choice.event = static_cast<uint32_t>(events_.size());
    choices_.push_back(choice);
    events_.push_back(EventOf(thread, Kind::kHook, op::kNoThread));
    pending_[thread].kind = calls ? Kind::kHook : Kind::kThreadExit;
    execution_.hooks += calls ? 1 : 0;
  }

  // It deviates last at this choice.
  uint64_t NewSince(uint32_t choice) {
    const plan::Deviation deviation = {choice, 0};
    plan::Plan plan;
    plan.deviations = {&deviation, 1};
    return Count(plan);
  }
  uint64_t NewOfFirst() { return Count({}); }
  // ... ended by `thread` in the middle of the statement that it was let go with.
  void EndIn(op::ThreadId thread) {
    pending_[thread].kind = Kind::kHook;
    execution_.ending.thread = thread;
  }

 private:
  uint64_t Count(const plan::Plan& plan) {
    execution_.events = events_;
    execution_.choices = choices_;
    execution_.pending = pending_;
    execution_.threads = 3;
    return NewHooks(plan, execution_);
  }

  std::vector<trace::Event> events_;
  std::vector<trace::Choice> choices_;
  trace::Pending pending_[3] = {};
  trace::Execution execution_;
};

TEST(HookCount, TheFirstExecutionMakesAllOfItsCalls) {
  Executed run;
  EXPECT_EQ(run.NewOfFirst(), 2u);
  run.Step(1, true);
  run.Step(1, false);
  run.Step(2, true);
  run.Step(2, false);
  EXPECT_EQ(run.NewOfFirst(), 4u);
}

// T1 T2 T1 T2: the call that ends T1's first statement comes from the execution before.
TEST(HookCount, WhatIsRepeatedDoesNotCount) {
  Executed run;
  run.Step(1, true);
  run.Step(2, true);
  run.Step(1, false);
  run.Step(2, false);
  EXPECT_EQ(run.NewSince(0), 2u);  // both that end a statement, of those after it
  EXPECT_EQ(run.NewSince(1), 1u);
  EXPECT_EQ(run.NewSince(2), 0u);
}

// An execution that is cut short: the threads stand at calls that they have made.
TEST(HookCount, CallsThatDoNotReturnCount) {
  Executed run;
  run.Step(1, true);
  run.Step(2, true);
  EXPECT_EQ(run.NewSince(1), 1u);
  EXPECT_EQ(run.NewOfFirst(), 4u);
}

// What a thread stood before last says nothing of where it is when it ends the program.
TEST(HookCount, AThreadThatEndsTheExecutionHasReturned) {
  Executed run;
  run.Step(1, true);
  run.Step(2, false);
  run.EndIn(2);
  EXPECT_EQ(run.NewSince(1), 0u);
  EXPECT_EQ(run.NewOfFirst(), 3u);
}

// The whole tree of two threads of two statements: 2 C(4, 1) = 8 calls.
TEST(HookCount, SumsUpToThePapersNumber) {
  const std::vector<std::vector<op::ThreadId>> orders = {{1, 1, 2, 2}, {1, 2, 1, 2}, {1, 2, 2, 1},
                                                         {2, 1, 1, 2}, {2, 1, 2, 1}, {2, 2, 1, 1}};
  // Where each of them first differs from the one before it, depth first.
  const std::vector<uint32_t> deviates = {0, 1, 2, 0, 2, 1};
  uint64_t calls = 0;
  for (size_t i = 0; i < orders.size(); ++i) {
    Executed run;
    int made[3] = {};
    for (const op::ThreadId thread : orders[i]) run.Step(thread, ++made[thread] < 2);
    calls += i == 0 ? run.NewOfFirst() : run.NewSince(deviates[i]);
  }
  EXPECT_EQ(calls, 8u);
}

}  // namespace
}  // namespace heddle::explore
