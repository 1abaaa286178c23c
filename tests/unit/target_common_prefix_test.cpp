// How much of an execution a plan repeats: by hand, and against the fake target, which runs the
// plan and shows.

#include "target/common_prefix.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::target {
namespace {

// Steps 1 2 1 2; choice 0 and 2 of threads (1, then 2 in place of the default 1), choice 1 is
// option 3 of thread 2, made in its first step.
class CommonPrefixTest : public testing::Test {
 protected:
  CommonPrefixTest() {
    steps_ = {{op::kNoThread, 0, 0}, {1, 0, 0}, {2, 1, 1}, {1, 2, 2}, {2, 3, 3}};
    choices_ = {Choice(trace::ChoiceKind::kThread, 0, 1, 1),
                Choice(trace::ChoiceKind::kValue, 2, 3, 0),
                Choice(trace::ChoiceKind::kThread, 2, 2, 1)};
    last_.steps = steps_;
    last_.choices = choices_;
  }

  static trace::Choice Choice(trace::ChoiceKind kind, uint32_t running, uint32_t chosen,
                              uint32_t fallback) {
    trace::Choice choice = {};
    choice.kind = kind;
    choice.running = running;
    choice.chosen = chosen;
    choice.fallback = fallback;
    return choice;
  }

  CommonPrefix Of(const plan::Plan& plan) const { return CommonPrefixOf(plan, last_); }

  std::vector<trace::Step> steps_;
  std::vector<trace::Choice> choices_;
  trace::Execution last_;
};

TEST_F(CommonPrefixTest, OfAScriptAsFarAsItsStepsAreTheSame) {
  const op::ThreadId script[] = {1, 2, 2};
  const plan::ScriptOption options[] = {{2, 3}};
  const CommonPrefix common = Of({.deviations = {}, .script = script, .options = options});
  EXPECT_EQ(common.steps, 3u) << "number 0, and two";
  EXPECT_EQ(common.choices, 3u);
}

TEST_F(CommonPrefixTest, LeavesTheLastStepOfAScriptToCome) {
  const op::ThreadId script[] = {1, 2, 1};
  EXPECT_EQ(Of({.deviations = {}, .script = script}).steps, 3u);
  EXPECT_EQ(Of({.deviations = {}, .script = {script, 1}}).steps, 1u);
}

TEST_F(CommonPrefixTest, EndsAtAnotherOptionOfAThread) {
  const op::ThreadId script[] = {1, 2, 1, 2, 1};
  const plan::ScriptOption another[] = {{1, 3}, {2, 0}};
  EXPECT_EQ(Of({.deviations = {}, .script = script, .options = another}).choices, 1u);
  EXPECT_EQ(Of({.deviations = {}, .script = script}).choices, 1u) << "the default is option 0";
}

TEST_F(CommonPrefixTest, OfDeviationsAsFarAsTheyAndTheDefaultsAreTheSame) {
  const plan::Deviation same[] = {{1, 3}, {2, 2}};
  EXPECT_EQ(Of({.deviations = same}).choices, 3u);
  EXPECT_EQ(Of({.deviations = same}).steps, 5u);
  EXPECT_EQ(Of({.deviations = {same, 1}}).steps, 4u) << "step 4 comes after choice 2";
  EXPECT_EQ(Of({.deviations = {same, 1}}).choices, 2u) << "choice 2 would be the default";
  EXPECT_EQ(Of({.deviations = {}}).choices, 1u);
  const plan::Deviation first[] = {{0, 2}};
  EXPECT_EQ(Of({.deviations = first}).choices, 0u);
}

TEST_F(CommonPrefixTest, SaysNothingOfWhatIsDrawnOrAsked) {
  const plan::Deviation same[] = {{1, 3}, {2, 2}};
  EXPECT_EQ(Of({.deviations = {same, 1}, .tail = plan::Tail::kRandom}).choices, 2u);
  EXPECT_EQ(Of({.deviations = {}, .tail = plan::Tail::kRandom}).choices, 0u);
  EXPECT_EQ(Of({.deviations = {}, .looks_first = true}).choices, 0u);
}

TEST_F(CommonPrefixTest, NothingIsInCommonWithARecording) {
  EXPECT_EQ(Of({.deviations = {}, .record = true}).steps, 0u);
}

TEST_F(CommonPrefixTest, NothingIsInCommonBeforeTheFirstExecution) {
  last_ = {};
  EXPECT_EQ(Of({.deviations = {}}).steps, 0u);
}

}  // namespace
}  // namespace heddle::target
