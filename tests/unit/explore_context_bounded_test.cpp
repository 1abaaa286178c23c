#include "explore/enumerate/context_bounded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::FakeProgram;
using target::FakeTarget;
using target::FetchAdd;
using target::Instruction;
using target::Yield;

FakeProgram Updates(size_t threads, size_t each) {
  return {.threads = std::vector<std::vector<Instruction>>(
              threads, std::vector<Instruction>(each, FetchAdd(0, 1))),
          .variables = {0},
          .semaphores = {}};
}

// A disk that loses everything.
class LosingDisk final : public Spill {
 public:
  bool Write(uint64_t, const void*, size_t) override { return true; }
  bool Read(uint64_t, void*, size_t) override { return false; }
};

uint32_t Preemptions(const trace::Execution& execution) { return execution.Cost(); }

// Up to which choice of threads it leaves the default.
uint32_t Depth(const trace::Execution& execution) {
  uint32_t depth = 0;
  uint32_t choices = 0;
  for (const trace::Choice& choice : execution.choices) {
    if (choice.kind != trace::ChoiceKind::kThread) continue;
    ++choices;
    if (choice.chosen != choice.fallback) depth = choices;
  }
  return depth;
}

template <typename Cost>
std::map<uint32_t, uint64_t> CountBy(Cost cost, ContextBounded& explorer, FakeTarget& target) {
  std::map<uint32_t, uint64_t> counts;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    ++counts[cost(execution)];
    explorer.Learn(execution);
  }
  return counts;
}

std::map<uint32_t, uint64_t> CountByPreemptions(ContextBounded& explorer, FakeTarget& target) {
  return CountBy(Preemptions, explorer, target);
}

Options DepthInStepsOf(uint32_t step) {
  Options options;
  options.bound = {space::Unit::kDepth, step, true};
  return options;
}

TEST(ContextBounded, BoundsInOrderAndWhatIsComplete) {
  FakeTarget target(Updates(2, 2));
  ContextBounded::State state;
  ContextBounded explorer(&state, {});
  std::vector<uint32_t> preemptions;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    preemptions.push_back(execution.Cost());
    explorer.Learn(execution);
    EXPECT_FALSE(explorer.Complete());
  }
  EXPECT_EQ(preemptions, (std::vector<uint32_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(explorer.CompletedBound(), 2);
  EXPECT_TRUE(explorer.Complete());
  EXPECT_EQ(explorer.Gap(), std::nullopt);
}

// abcd leaves the default nowhere, cdab at the first choice, acdb and cabd at the second, acbd and
// cadb at the third, too: explore_depth_first_test.cpp.
TEST(ContextBounded, DepthInSteps) {
  const std::vector<std::vector<uint32_t>> kDepths = {
      {0, 1, 2, 2, 3, 3},   // steps of one: each depth by itself
      {0, 2, 1, 2, 3, 3},   // of two: depth-first within two choices, then the rest
      {0, 2, 3, 1, 2, 3}};  // of three: depth-first
  for (uint32_t step : {1u, 2u, 3u}) {
    FakeTarget target(Updates(2, 2));
    ContextBounded::State state;
    ContextBounded explorer(&state, DepthInStepsOf(step));
    std::vector<uint32_t> depths;
    while (const auto plan = explorer.NextPlan()) {
      const trace::Execution& execution = target.Run(*plan);
      depths.push_back(Depth(execution));
      const uint32_t bound = std::max(1u, (depths.back() + step - 1) / step) * step;
      EXPECT_EQ(explorer.CurrentBound(), bound);
      EXPECT_EQ(explorer.CompletedBound(), bound == step ? -1 : int64_t{bound} - step);
      explorer.Learn(execution);
      EXPECT_FALSE(explorer.Complete());
    }
    EXPECT_EQ(depths, kDepths[step - 1]) << "steps of " << step;
    EXPECT_EQ(explorer.CompletedBound(), (3 + step - 1) / step * step);
    EXPECT_TRUE(explorer.Complete());
    EXPECT_EQ(explorer.Gap(), std::nullopt);
  }
}

// An item of a first execution may lie many steps deeper: its record goes back to the queue once a
// step. Each schedule is still run once, and nothing is left in the tree.
TEST(ContextBounded, DepthInStepsRunsEachOnce) {
  for (uint32_t step : {1u, 2u, 3u, 7u, 100u, 0xfffffffeu}) {
    FakeTarget target(Updates(3, 3));
    ContextBounded::State state;
    ContextBounded explorer(&state, DepthInStepsOf(step));
    std::set<std::vector<uint32_t>> schedules;
    uint64_t executions = 0;
    uint32_t steps = 1;
    for (; const auto plan = explorer.NextPlan(); ++executions) {
      const trace::Execution& execution = target.Run(*plan);
      std::vector<uint32_t> chosen;
      for (const trace::Choice& choice : execution.choices) chosen.push_back(choice.chosen);
      schedules.insert(chosen);
      const auto needs = static_cast<uint32_t>((uint64_t{Depth(execution)} + step - 1) / step);
      EXPECT_GE(std::max(1u, needs), steps) << "not in order";
      steps = std::max(1u, needs);
      explorer.Learn(execution);
    }
    EXPECT_EQ(executions, 1680u);  // 9! / (3! 3! 3!)
    EXPECT_EQ(schedules.size(), 1680u);
    EXPECT_TRUE(explorer.Complete());
    EXPECT_LE(state.enumeration.tree.Size(), state.enumeration.deviations.size());
  }
}

// What is chosen has no depth: all values at each depth. A thread of a choice of two values and a
// step, ab, and one of a step, c: abc leaves the default nowhere, cab at the first choice, acb at
// the second, each with both values.
TEST(ContextBounded, DepthIsOfChoicesOfThreads) {
  FakeProgram program = Updates(2, 1);
  program.threads[0] = {target::Choose(2, 0), FetchAdd(0, 1)};
  FakeTarget target(program);
  ContextBounded::State state;
  ContextBounded explorer(&state, DepthInStepsOf(1));
  EXPECT_EQ(CountBy(Depth, explorer, target),
            (std::map<uint32_t, uint64_t>{{0, 2}, {1, 2}, {2, 2}}));
}

TEST(ContextBounded, LastBoundIsNotComplete) {
  FakeTarget target(Updates(2, 2));
  ContextBounded::State state;
  Options options;
  options.bound.most = 1;
  ContextBounded explorer(&state, options);
  EXPECT_EQ(CountByPreemptions(explorer, target), (std::map<uint32_t, uint64_t>{{0, 2}, {1, 2}}));
  EXPECT_EQ(explorer.CompletedBound(), 1);
  EXPECT_FALSE(explorer.Complete());
}

// Before a yield both passing the turn on and staying are free; before the update staying is free,
// and leaving costs. Of the 20 schedules 6 need no preemption: who begins, times what it does at
// its yields.
TEST(ContextBounded, YieldsPassTheTurnOn) {
  FakeProgram program = Updates(2, 1);
  for (auto& thread : program.threads) thread = {Yield(), Yield(), FetchAdd(0, 1)};
  FakeTarget target(program);
  ContextBounded::State state;
  ContextBounded explorer(&state, {});
  const auto counts = CountByPreemptions(explorer, target);
  EXPECT_EQ(counts, (std::map<uint32_t, uint64_t>{{0, 6}, {1, 8}, {2, 6}}));
}

// Thread sets of two words. Who begins is free: 70; the other has one step, so it may come before,
// between or after.
TEST(ContextBounded, MoreThreadsThanAWordHasBits) {
  constexpr uint32_t kThreads = 70;
  FakeProgram program = Updates(kThreads, 0);
  program.threads[3] = {FetchAdd(0, 1), FetchAdd(0, 1)};
  program.threads[kThreads - 1] = {FetchAdd(0, 1)};
  FakeTarget target(program);
  ContextBounded::State state;
  ContextBounded explorer(&state, {});
  EXPECT_EQ(CountByPreemptions(explorer, target), (std::map<uint32_t, uint64_t>{{0, 2}, {1, 1}}));
}

// A record must stay small however long the execution: 100,000 choice points with equal sets are
// one run.
TEST(ContextBounded, LongExecutionsMakeShortRecords) {
  FakeTarget target(Updates(3, 40000));
  ContextBounded::State state;
  ContextBounded explorer(&state, {});
  for (int i = 0; i < 5; ++i) {
    const auto plan = explorer.NextPlan();
    explorer.Learn(target.Run(*plan));
    EXPECT_LT(state.packed.size(), 40u);
  }
}

// What a broken disk lost must not count as explored, and what was explored before must: with what
// fits in memory of the queue, and of the tree, in bytes.
template <typename Cost>
void LoseOnDisk(const FakeProgram& program, uint64_t queue, uint64_t tree, Cost cost,
                const Options& options) {
  FakeTarget target(program);
  ContextBounded::State sound_state;
  ContextBounded sound(&sound_state, options);
  const auto all = CountBy(cost, sound, target);

  LosingDisk disk;
  ContextBounded::State state;
  state.queue = WorkQueue(ExecutionTree::kSpillEnd, queue, 4096);
  state.enumeration.tree = ExecutionTree(tree);
  ContextBounded explorer(&state, options, &disk);
  const auto some = CountBy(cost, explorer, target);
  EXPECT_EQ(explorer.Gap(), claim::Incomplete::kUnreadable);
  EXPECT_FALSE(explorer.Complete());
  const int64_t completed = explorer.CompletedBound();
  EXPECT_GE(completed, 0);
  EXPECT_LT(completed, sound.CompletedBound());
  for (const auto& [costs, executions] : some) {
    if (costs <= completed) {
      EXPECT_EQ(executions, all.at(costs));
    } else {
      EXPECT_LT(executions, all.at(costs));
    }
  }
}

TEST(ContextBounded, LostQueueWeakensTheGuarantee) {
  constexpr uint64_t kTree = PagedArray<ExecutionTree::Node>::kMemoryLimit;
  LoseOnDisk(Updates(3, 4), 0, kTree, Preemptions, {});
  LoseOnDisk(Updates(3, 4), 0, kTree, Depth, DepthInStepsOf(1));
}

TEST(ContextBounded, LostTreeWeakensTheGuarantee) {
  LoseOnDisk(Updates(4, 3), WorkQueue::kMemoryLimit, 0, Preemptions, {});
  LoseOnDisk(Updates(4, 3), WorkQueue::kMemoryLimit, 0, Depth, DepthInStepsOf(1));
}

// A node stays as long as something is to be made from its execution.
TEST(ContextBounded, NothingIsLeftInTheTree) {
  FakeTarget target(Updates(3, 3));
  ContextBounded::State state;
  ContextBounded explorer(&state, {});
  uint64_t executions = 0;
  for (const auto& [preemptions, count] : CountByPreemptions(explorer, target)) executions += count;
  EXPECT_EQ(executions, 1680u);  // 9! / (3! 3! 3!)
  EXPECT_LT(explorer.PeakNodes(), executions);
  EXPECT_LE(state.enumeration.tree.Size(), state.enumeration.deviations.size());  // the last one's
}

}  // namespace
}  // namespace heddle::explore
