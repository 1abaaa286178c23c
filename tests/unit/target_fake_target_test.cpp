#include "target/fake_target.h"

#include <gtest/gtest.h>

#include <vector>
#include "trace/cost.h"

namespace heddle::target {
namespace {

using plan::Deviation;
using trace::EndKind;

FakeProgram Program(std::vector<std::vector<Instruction>> threads) {
  return {.threads = std::move(threads),
          .variables = {0, 0},
          .semaphores = {0},
          .mutexes = 2,
          .conditions = 1,
          .rwlocks = 1};
}

std::vector<uint32_t> ThreadsOf(const trace::Execution& execution) {
  std::vector<uint32_t> threads;
  for (const trace::Event& event : execution.events) threads.push_back(event.thread);
  return threads;
}

TEST(FakeTarget, EmptyPlanRunsEachThreadUntilItBlocks) {
  FakeTarget target(
      Program({{SemWait(0), FetchAdd(0, 1)}, {FetchAdd(0, 1), SemPost(0), FetchAdd(0, 1)}}));
  const trace::Execution& execution = target.Run({});
  EXPECT_EQ(ThreadsOf(execution), (std::vector<uint32_t>{1, 1, 1, 0, 0}));
  EXPECT_EQ(execution.ending.kind, EndKind::kExit);
  EXPECT_EQ(execution.preemptions, 0u);
  EXPECT_EQ(execution.switches, 1u);
  EXPECT_EQ(target.Variables()[0], 3);
  ASSERT_EQ(execution.choices.size(), 1u);  // only after the post are two threads enabled
  EXPECT_TRUE(execution.choices[0].running_open);
  EXPECT_EQ(execution.choices[0].event, 2u);
  EXPECT_TRUE(trace::Costs(execution, execution.choices[0], 0));
  EXPECT_FALSE(trace::Costs(execution, execution.choices[0], 1));
}

TEST(FakeTarget, DeviationPreempts) {
  FakeTarget target(Program({{FetchAdd(0, 1), FetchAdd(0, 1)}, {FetchAdd(0, 1)}}));
  const Deviation deviations[] = {{1, 1}};
  const trace::Execution& execution = target.Run({.deviations = deviations});
  EXPECT_EQ(ThreadsOf(execution), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(execution.preemptions, 1u);
  EXPECT_EQ(execution.switches, 2u);
}

TEST(FakeTarget, YieldPassesTheTurnOnForFree) {
  FakeTarget target(Program({{FetchAdd(0, 1), Yield(), FetchAdd(0, 1)}, {FetchAdd(0, 1)}}));
  const trace::Execution& execution = target.Run({});
  EXPECT_EQ(ThreadsOf(execution), (std::vector<uint32_t>{0, 1, 0, 0}));
  EXPECT_EQ(execution.preemptions, 0u);
  EXPECT_FALSE(trace::Costs(execution, execution.choices[1], 1));
  EXPECT_FALSE(trace::Costs(execution, execution.choices[1], 0));
}

TEST(FakeTarget, GoingOnAtYieldsIsFreeAFewTimes) {
  const std::vector<Instruction> patient(plan::kFreeStays + 2, Yield());
  FakeTarget target(Program({patient, {FetchAdd(0, 1)}}));
  std::vector<Deviation> stay;  // the first choice is who begins
  for (uint32_t i = 0; i <= plan::kFreeStays + 1; ++i) stay.push_back({i, 0});
  const trace::Execution& execution = target.Run({.deviations = stay});
  EXPECT_FALSE(trace::Costs(execution, execution.choices[plan::kFreeStays], 0));
  EXPECT_TRUE(trace::Costs(execution, execution.choices[plan::kFreeStays + 1], 0));
  EXPECT_EQ(execution.preemptions, 1u);
}

TEST(FakeTarget, WhoIsAboutToYieldGoesLast) {
  FakeTarget target(Program({{Yield()}, {Yield()}, {FetchAdd(0, 1)}}));
  EXPECT_EQ(ThreadsOf(target.Run({})), (std::vector<uint32_t>{2, 0, 1}));
}

TEST(FakeTarget, OptionThatIsNotOpen) {
  FakeTarget target(Program({{FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {SemWait(0)}}));
  const Deviation blocked[] = {{0, 2}};
  EXPECT_EQ(target.Run({.deviations = blocked}).ending.kind, EndKind::kDiverged);
  EXPECT_EQ(target.Run({.deviations = blocked, .lenient = true}).ending.kind, EndKind::kDeadlock);
  const Deviation never_reached[] = {{7, 0}};
  EXPECT_EQ(target.Run({.deviations = never_reached}).ending.kind, EndKind::kDiverged);
  EXPECT_EQ(target.Run({.deviations = never_reached, .lenient = true}).ending.kind,
            EndKind::kDeadlock);
}

TEST(FakeTarget, SignalWakesTheChosenWaiter) {
  const std::vector<Instruction> waiter = {Lock(0), CondWait(0, 0), Unlock(0)};
  FakeTarget target(Program({waiter, waiter, {Lock(0), CondSignal(0), Unlock(0)}}));
  const trace::Execution& execution = target.Run({});
  EXPECT_EQ(execution.ending.kind, EndKind::kDeadlock);
  EXPECT_EQ(execution.ending.thread, 1u);
  uint32_t point = 0;
  while (execution.choices[point].kind != trace::ChoiceKind::kWaiter) ++point;
  EXPECT_EQ(execution.choices[point].option_count, 2u);
  const Deviation second[] = {{point, 1}};
  EXPECT_EQ(target.Run({.deviations = second}).ending.thread, 0u);
}

TEST(FakeTarget, BroadcastWakesAll) {
  const std::vector<Instruction> waiter = {Lock(0), CondWait(0, 0), Unlock(0)};
  FakeTarget target(Program({waiter, waiter, {Lock(0), CondBroadcast(0), Unlock(0)}}));
  EXPECT_EQ(target.Run({}).ending.kind, EndKind::kExit);
}

TEST(FakeTarget, Endings) {
  EXPECT_EQ(FakeTarget(Program({{Load(0, 0), AssertEqual(0, 1)}})).Run({}).ending.kind,
            EndKind::kAssertion);
  EXPECT_EQ(FakeTarget(Program({{Load(0, 0), AssertNot(0, 0)}})).Run({}).ending.kind,
            EndKind::kAssertion);
  EXPECT_EQ(FakeTarget(Program({{Load(0, 0), Assume(0, 1)}})).Run({}).ending.kind,
            EndKind::kRedundant);
  EXPECT_EQ(FakeTarget(Program({{Unlock(0)}})).Run({}).ending.kind, EndKind::kMisuse);
  EXPECT_EQ(FakeTarget(Program({{CondWait(0, 0)}})).Run({}).ending.kind, EndKind::kMisuse);
  EXPECT_EQ(FakeTarget(Program({{Lock(0), Lock(0)}})).Run({}).ending.kind, EndKind::kDeadlock);
}

TEST(FakeTarget, FailedTriesAreReads) {
  FakeTarget target(Program({{Lock(0)}, {TryLock(0, 0)}, {CompareExchange(0, 5, 6, 0)}}));
  const trace::Execution& execution = target.Run({});
  EXPECT_EQ(execution.events[0].access, op::Access::kWrite);
  EXPECT_EQ(execution.events[1].access, op::Access::kRead);
  EXPECT_EQ(execution.events[2].access, op::Access::kRead);
}

// Swapping independent steps changes the sequence of events, not the graph; swapping dependent ones
// changes both.
TEST(FakeTarget, HappensBeforeHash) {
  auto swap = [](Instruction first, Instruction second) {
    FakeTarget target(Program({{first}, {second}}));
    const trace::Execution one = target.Run({});
    const Deviation deviations[] = {{0, 1}};
    const trace::Execution other = target.Run({.deviations = deviations});
    EXPECT_NE(one.steps_hash, other.steps_hash);
    return one.happens_before == other.happens_before;
  };
  EXPECT_TRUE(swap(Load(0, 0), Load(0, 0)));
  EXPECT_TRUE(swap(Assign(0, 1), Assign(1, 1)));
  EXPECT_FALSE(swap(Load(0, 0), Assign(0, 1)));
  EXPECT_FALSE(swap(Assign(0, 1), Assign(0, 1)));
  EXPECT_TRUE(swap(SemPost(0), SemPost(0)));
  EXPECT_TRUE(swap(ReadLock(0), ReadLock(0)));
  EXPECT_FALSE(swap(WriteLock(0), TryReadLock(0, 0)));
}

}  // namespace
}  // namespace heddle::target
