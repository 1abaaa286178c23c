// What a plan says about an execution (fibers/plan_follower.h): deviations, scripts, options,
// sleeping threads. Without a plan a thread runs until it ends, T1 first.
#include "runtime/fibers/plan_follower.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "small_program.h"

namespace heddle::runtime {
namespace {

using op::Access;
using plan::Plan;
using plan::Sleeper;
using trace::EndKind;

Plan PlanOf(const Script& script) {
  Plan plan;
  plan.script = script;
  return plan;
}

// ---- deviations ----

//   T1  T2     choice 0 is as planned, choices 1 and 2 by default; there is no choice 3
//       h
//       h
//       h
//   h
//   h
TEST(PlanFollower, DeviationsHoldAtTheirChoices) {
  const plan::Deviation deviations[] = {{0, 2}, {3, 1}};
  Plan plan;
  plan.deviations = deviations;
  const Body thrice = [] {
    Hook();
    Hook();
    Hook();
  };
  const trace::Execution& run = RunOnce({kTwice, thrice}, plan);
  EXPECT_EQ(StepsOf(run), "2* 2 2 (1) (1)");
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
}

// A thread that is not open is no option: the program is another one than the plan was made for.
TEST(PlanFollower, WhatIsNotOpenIsADivergence) {
  const plan::Deviation deviations[] = {{0, 5}};
  Plan plan;
  plan.deviations = deviations;
  const trace::Execution& run = RunOnce({kOnce, kOnce}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kDiverged);
  const std::string message = run.ending.message;
  EXPECT_TRUE(message.starts_with("the schedule did not replay: after "));
  EXPECT_NE(message.find(" it lets %T5% go on, which does not exist; what came last was %T0% "),
            std::string::npos)
      << message;
  plan.lenient = true;  // for minimising: then the default will do
  EXPECT_EQ(StepsOf(RunOnce({kOnce, kOnce}, plan)), "1 (2)");
}

// ---- scripts ----

//   T1  T2     the script names the thread of every step, chosen or not
//       h
//   h
//       h
//   h          the only one left, named nevertheless
TEST(PlanFollower, AScriptNamesTheThreadOfEveryStep) {
  const Script script = {2, 1, 2, 1};
  const trace::Execution& run = RunOnce({kTwice, kTwice}, PlanOf(script));
  EXPECT_EQ(StepsOf(run), "2* 1* 2* (1)");
}

//   T1  T2     after the script, by default
//       h
//   -------
//       h
//   h
//   h
TEST(PlanFollower, AfterTheScriptTheDefault) {
  const Script script = {2};
  EXPECT_EQ(StepsOf(RunOnce({kTwice, kTwice}, PlanOf(script))), "2* 2 (1) (1)");
}

//   T1  T2     the script names T1 for the third step, but T1 has ended
//   h
//   h
//       h
TEST(PlanFollower, AForcedStepMayNotBeTheScripts) {
  const Script script = {1, 1, 1};
  Plan plan = PlanOf(script);
  EXPECT_EQ(RunOnce({kTwice, kOnce}, plan).ending.kind, EndKind::kDiverged);
  plan.tentative = plan.end_if_vain = true;
  const trace::Execution& run = RunOnce({kTwice, kOnce}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kRedundant);
  EXPECT_EQ(run.ending.status, trace::kCutByPlan);
  EXPECT_EQ(StepsOf(run), "1 1");
}

// The last step is passed over where others depend on it: a vain step of no events stands for it.
TEST(PlanFollower, PassesOverTheLastStepIfItIsNotOpen) {
  const Script script = {1, 1, 1};
  Plan plan = PlanOf(script);
  plan.tentative = true;
  const trace::Execution& run = RunOnce({kTwice, kOnce}, plan);
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  ASSERT_EQ(run.steps.size(), 5u);
  EXPECT_TRUE(run.steps[3].vain);
  EXPECT_EQ(run.steps[3].thread, 1u);
  EXPECT_EQ(run.steps[4].event, run.steps[3].event);
  EXPECT_EQ(run.vain_steps, 1u);
}

// How far the script is: asked by what must know whether a step is new.
TEST(PlanFollower, TellsWhereTheScriptEnds) {
  static bool in_script[3];
  const Body asks = [] {
    Hook();
    in_script[0] = InScript();
    Hook();
    in_script[1] = InScript();
    Hook();
    in_script[2] = InScript();
  };
  const Script script = {1, 1};
  Plan plan = PlanOf(script);
  plan.looks_first = true;
  RunOnce({asks}, plan);
  EXPECT_TRUE(in_script[0]);
  EXPECT_FALSE(in_script[1]);
  EXPECT_FALSE(in_script[2]);
  EXPECT_FALSE(IsLastOfScript(1));
  EXPECT_TRUE(IsLastOfScript(2));
  EXPECT_FALSE(IsLastOfScript(3));
  EXPECT_TRUE(LooksFirst());
  EXPECT_FALSE(EndsIfVain());
  plan.end_if_vain = true;
  RunOnce({asks}, plan);
  EXPECT_TRUE(EndsIfVain());
  // Step 0 is nobody's, also where there is no script.
  RunOnce({asks});
  EXPECT_FALSE(IsLastOfScript(0));
}

// ---- options ----

//   T1             T2
//   2 of 0 1 2                  each thread takes its own in their order, however the steps lie
//                  1 of 0 1 2
//   1 of 0 1 2
//   0 of 0 1 2                  none is named any more
TEST(PlanFollower, OptionsBelongToThreads) {
  static std::vector<uint32_t> first, second;
  const auto chooses = [](std::vector<uint32_t>& into, int count) {
    into.clear();
    into.reserve(8);
    return [&into, count] {
      for (int i = 0; i < count; ++i) into.push_back(Choose(3));
    };
  };
  const plan::ScriptOption options[] = {{2, 1}, {1, 2}, {1, 1}};
  const Script script = {1, 2, 1};
  Plan plan = PlanOf(script);
  plan.options = options;
  RunOnce({chooses(first, 3), chooses(second, 1)}, plan);
  EXPECT_EQ(first, (std::vector<uint32_t>{2, 1, 0}));
  EXPECT_EQ(second, (std::vector<uint32_t>{1}));

  const plan::ScriptOption too_many[] = {{1, 3}};
  plan.options = too_many;
  EXPECT_EQ(RunOnce({chooses(first, 1), chooses(second, 1)}, plan).ending.kind, EndKind::kDiverged);
}

// ---- sleeping threads ----

// T2 sleeps before its write of x; the script is T1's first step.
class SleepTest : public testing::Test {
 protected:
  SleepTest() {
    // So that x, y and z have numbers.
    RunOnce({[this] {
      Store(memory_.x, 0);
      Store(memory_.y, 0);
      Store(memory_.z, 0);
    }});
  }

  const trace::Execution& RunWith(const Body& first, const std::vector<Sleeper>& sleepers,
                                  const Body& third = {}) {
    const Script script = {1};
    Plan plan = PlanOf(script);
    plan.sleepers = sleepers;
    const Body writes_x = [this] { Store(memory_.x, 1); };
    std::vector<Body> threads = {first, writes_x};
    if (third) threads.push_back(third);
    return RunOnce(threads, plan);
  }
  Sleeper OnX(Access access) const { return {2, access, NumberOf(memory_.x)}; }

  Memory memory_;
};

//   T1     T2
//   y = 1           independent of T2's step: T2 sleeps on, and nobody else is there
//          x = 1    explored elsewhere
TEST_F(SleepTest, WhenOnlySleepersAreLeftItIsRedundant) {
  const trace::Execution& run = RunWith([this] { Store(memory_.y, 1); }, {OnX(Access::kWrite)});
  EXPECT_EQ(run.ending.kind, EndKind::kRedundant);
  EXPECT_EQ(run.ending.status, trace::kCutByPlan);
  EXPECT_EQ(StepsOf(run), "1");
}

//   T1     T2
//   x = 1           T2's step depends on it: T2 wakes. It falls asleep before the last step of the
//          x = 1    script, not after it.
TEST_F(SleepTest, WhatItDependsOnWakesIt) {
  const trace::Execution& run = RunWith([this] { Store(memory_.x, 2); }, {OnX(Access::kWrite)});
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 (2)");
}

//   T1     T2     T3      after T1 the next in turn is T2, but that sleeps
//   y = 1
//                 x = 2   wakes T2
//          x = 1
TEST_F(SleepTest, TheDefaultPassesOverSleepers) {
  const trace::Execution& run = RunWith([this] { Store(memory_.y, 1); }, {OnX(Access::kWrite)},
                                        [this] { Store(memory_.x, 2); });
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 3* (2)");
}

//   T1     T2     T3      if T2 were to read x, as T3 does, the two would commute
//   y = 1
//                 reads x
TEST_F(SleepTest, WhatCommutesLetsItSleep) {
  const auto run = [this](Access access) -> const trace::Execution& {
    return RunWith([this] { Store(memory_.y, 1); }, {OnX(access)}, [this] { Load(memory_.x); });
  };
  EXPECT_EQ(run(Access::kRead).ending.kind, EndKind::kRedundant);
  EXPECT_EQ(StepsOf(run(Access::kRead)), "1 3*");
  EXPECT_EQ(run(Access::kWrite).ending.kind, EndKind::kExit);
  // What accesses nothing is woken by nothing.
  EXPECT_EQ(run(Access::kNone).ending.kind, EndKind::kRedundant);
}

//   T1     T2     T3
//   h
//                 z = 1   T2's step may access anything
//          x = 1
TEST_F(SleepTest, AnyObjectWakesWhatIsNotKnown) {
  const auto writes_z = [this] { Store(memory_.z, 1); };
  const Sleeper any = {2, Access::kWrite, Sleeper::kAnyObject};
  EXPECT_EQ(StepsOf(RunWith(kOnce, {any}, writes_z)), "1 3* (2)");
  EXPECT_EQ(StepsOf(RunWith(kOnce, {OnX(Access::kWrite)}, writes_z)), "1 3*");
}

//   T1     T2           T3
//   h                           T2's step accesses x and y, an entry for each: either wakes it
//                       y = 1
//          x = 1
TEST_F(SleepTest, OneOfItsAccessesWakesTheStep) {
  const Sleeper on_y = {2, Access::kWrite, NumberOf(memory_.y)};
  static uint32_t asleep;  // entries, after y = 1
  const trace::Execution& run = RunWith(kOnce, {OnX(Access::kWrite), on_y}, [this] {
    Store(memory_.y, 1);
    asleep = g_sleepers_waiting;
  });
  EXPECT_EQ(run.ending.kind, EndKind::kExit);
  EXPECT_EQ(StepsOf(run), "1 3* (2)");
  EXPECT_EQ(asleep, 0u);
}

// ---- random choices ----

//   T1  T2     the plan's deviation first, then by chance: the same for the same seed
TEST(PlanFollower, RandomChoicesFollowTheSeed) {
  const plan::Deviation deviations[] = {{0, 2}};
  Plan plan;
  plan.deviations = deviations;
  plan.tail = plan::Tail::kRandom;
  uint32_t stayed = 0;
  for (plan.seed = 1; plan.seed <= 64; ++plan.seed) {
    const std::string steps = StepsOf(RunOnce({kOnce, kTwice}, plan));
    EXPECT_EQ(StepsOf(RunOnce({kOnce, kTwice}, plan)), steps);
    if (steps == "2* 2 (1)")
      ++stayed;
    else
      EXPECT_EQ(steps, "2* 1* (2)");
  }
  // Two options at choice 1: each has half of the seeds, give or take four standard deviations (4).
  EXPECT_GE(stayed, 16u);
  EXPECT_LE(stayed, 48u);
}

}  // namespace
}  // namespace heddle::runtime
