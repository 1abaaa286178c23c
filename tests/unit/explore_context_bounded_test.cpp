#include "explore/context_bounded.h"

#include <gtest/gtest.h>

#include <map>
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

std::map<uint32_t, uint64_t> CountByPreemptions(ContextBounded& explorer, FakeTarget& target) {
  std::map<uint32_t, uint64_t> counts;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    ++counts[execution.Cost()];
    explorer.Learn(execution);
  }
  return counts;
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
  EXPECT_EQ(explorer.Weakness(), nullptr);
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
void LoseOnDisk(uint64_t queue, uint64_t tree) {
  FakeTarget target(Updates(4, 3));
  ContextBounded::State sound_state;
  ContextBounded sound(&sound_state, {});
  const auto all = CountByPreemptions(sound, target);

  LosingDisk disk;
  ContextBounded::State state;
  state.queue = WorkQueue(ExecutionTree::kSpillEnd, queue, 4096);
  state.enumeration.tree = ExecutionTree(tree);
  ContextBounded explorer(&state, {}, &disk);
  const auto some = CountByPreemptions(explorer, target);
  EXPECT_NE(explorer.Weakness(), nullptr);
  EXPECT_FALSE(explorer.Complete());
  const int64_t completed = explorer.CompletedBound();
  EXPECT_GE(completed, 0);
  EXPECT_LT(completed, sound.CompletedBound());
  for (const auto& [preemptions, executions] : some) {
    if (preemptions <= completed) {
      EXPECT_EQ(executions, all.at(preemptions));
    } else {
      EXPECT_LT(executions, all.at(preemptions));
    }
  }
}

TEST(ContextBounded, LostQueueWeakensTheGuarantee) {
  LoseOnDisk(0, PagedArray<ExecutionTree::Node>::kMemoryLimit);
}

TEST(ContextBounded, LostTreeWeakensTheGuarantee) { LoseOnDisk(WorkQueue::kMemoryLimit, 0); }

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
