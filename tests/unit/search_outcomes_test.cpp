#include "search/outcomes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "explore/enumerate/depth_first.h"
#include "explore/main_loop.h"
#include "target/fake_target.h"

namespace heddle::search {
namespace {

// A fake program that gives each execution what its first variable holds at the end for a label.
class LabellingTarget final : public target::Target {
 public:
  explicit LabellingTarget(const target::FakeProgram& program) : target_(program) {}

  const trace::Execution& Run(const plan::Plan& plan) override {
    execution_ = target_.Run(plan);
    label_ = std::to_string(target_.Variables()[0]);
    execution_.outcome = label_.c_str();
    return execution_;
  }

 private:
  target::FakeTarget target_;
  trace::Execution execution_;
  std::string label_;
};

// Two threads, each `r = x; x = r + 1`. Of the 6 interleavings of two by two steps 2 are serial and
// end with 2; in the others both read 0, which takes one preemption.
TEST(Outcomes, ALostUpdateByCountAndPreemptions) {
  target::FakeProgram program;
  program.variables = {0};
  program.threads = {{target::Load(0, 0), target::Store(0, 0, 1)},
                     {target::Load(0, 0), target::Store(0, 0, 1)}};
  LabellingTarget target(program);
  explore::DepthFirst::State explorer_state;
  explore::DepthFirst explorer(&explorer_state, {});
  Outcomes::State state;
  Outcomes outcomes(&state);
  explore::Observer* const observers[] = {&outcomes};
  explore::ExecutionBudget budget(100);
  ASSERT_EQ(explore::RunSearch(explorer, target, observers, budget),
            explore::SearchEnd::kExhausted);
  ASSERT_EQ(state.entries.size(), 2u);
  for (const Outcomes::Entry& entry : state.entries) {
    const bool lost = std::string(entry.label) == "1";
    EXPECT_EQ(entry.count, lost ? 4u : 2u);
    EXPECT_EQ(entry.preemptions, lost ? 1u : 0u);
    EXPECT_EQ(entry.early_timeouts, 0u);
  }
}

trace::Execution Labelled(const char* label, trace::EndKind kind, uint32_t preemptions,
                          uint32_t early_timeouts) {
  trace::Execution execution;
  execution.outcome = label;
  execution.ending.kind = kind;
  execution.preemptions = preemptions;
  execution.early_timeouts = early_timeouts;
  return execution;
}

TEST(Outcomes, TheCheapestExecutionIsKept) {
  Outcomes::State state;
  Outcomes outcomes(&state);
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kExit, 3, 0));
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kExit, 0, 1));
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kDeadlock, 1, 1));
  ASSERT_EQ(state.entries.size(), 1u);
  EXPECT_EQ(state.entries[0].count, 3u);
  EXPECT_EQ(state.entries[0].preemptions, 0u);
  EXPECT_EQ(state.entries[0].early_timeouts, 1u);
}

// As --order escalating runs one execution in several of its searches.
TEST(Outcomes, WhatIsRunAgainCountsOnce) {
  explore::Coverage::State seen;
  explore::Coverage coverage(&seen);
  Outcomes::State state;
  Outcomes outcomes(&state, &coverage);
  for (const uint64_t graph : {7, 8, 7, 7}) {
    trace::Execution execution = Labelled("a", trace::EndKind::kExit, graph == 8 ? 2 : 1, 0);
    execution.happens_before = graph;
    coverage.OnExecution({}, execution);
    outcomes.OnExecution({}, execution);
  }
  ASSERT_EQ(state.entries.size(), 1u);
  EXPECT_EQ(state.entries[0].count, 2u);
  EXPECT_EQ(state.entries[0].preemptions, 1u);
}

TEST(Outcomes, WhatTheExplorerRanAgainIsTakenBack) {
  Outcomes::State state;
  Outcomes outcomes(&state);
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kExit, 0, 0));
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kExit, 0, 0));
  outcomes.LastWasRunAgain();
  outcomes.LastWasRunAgain();  // it was the last one already
  outcomes.OnExecution({}, Labelled("", trace::EndKind::kExit, 0, 0));
  outcomes.LastWasRunAgain();
  ASSERT_EQ(state.entries.size(), 1u);
  EXPECT_EQ(state.entries[0].count, 1u);
}

// Without a label, cut short because it was explored before, or ended because the search begins
// again.
TEST(Outcomes, WhatIsNoneIsNotCounted) {
  Outcomes::State state;
  Outcomes outcomes(&state);
  outcomes.OnExecution({}, Labelled("", trace::EndKind::kExit, 0, 0));
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kRedundant, 0, 0));
  outcomes.OnExecution({}, Labelled("a", trace::EndKind::kNeedsMorePoints, 0, 0));
  EXPECT_TRUE(state.entries.empty());
}

}  // namespace
}  // namespace heddle::search
