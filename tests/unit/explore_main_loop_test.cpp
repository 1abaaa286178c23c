#include "explore/main_loop.h"

#include <gtest/gtest.h>

#include "explore/compose/registry.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::FakeTarget;
using target::FetchAdd;

FakeTarget ThreeThreads() {
  return FakeTarget({.threads = {{FetchAdd(0, 1)}, {FetchAdd(0, 1)}, {FetchAdd(0, 1)}},
                     .variables = {0},
                     .semaphores = {}});
}

// Counts, and stops after a given number.
class Counter final : public Observer {
 public:
  explicit Counter(uint64_t stop_at = UINT64_MAX) : stop_at_(stop_at) {}
  Then OnExecution(const plan::Plan&, const trace::Execution&) override {
    return ++count % stop_at_ == 0 ? Then::kStop : Then::kContinue;
  }
  uint64_t count = 0;

 private:
  const uint64_t stop_at_;
};

TEST(Registry, EveryEntryExplores) {
  // Nine orders; four reductions, depth first, at random and best first; three more, with each
  // order of a bound; reads-from, depth first; and all of these with the prover of escalating.
  EXPECT_EQ(Entries().size(), 35u);
  for (const Entry& entry : Entries()) {
    SCOPED_TRACE(space::NameOf(entry.point));
    FakeTarget target = ThreeThreads();
    Counter counter;
    Observer* const observers[] = {&counter};
    ExecutionBudget budget(100);
    void* state = entry.make_state();
    const auto explorer = entry.Attach(state, 1, nullptr);
    const SearchEnd end = RunSearch(*explorer, target, observers, budget);
    const bool ends = !space::Samples(entry.point);
    EXPECT_EQ(end, ends ? SearchEnd::kExhausted : SearchEnd::kBudget);
    // Others have their turns while the prover is at it.
    const bool in_turns = entry.point.order == space::Order::kEscalating;
    if (in_turns) {
      EXPECT_GE(counter.count, 6u);
    } else {
      EXPECT_EQ(counter.count, ends ? 6u : 100u);
    }
    EXPECT_EQ(explorer->Complete(), ends);
    entry.free_state(state);
  }
}

// What a search keeps follows the work that is left: at the end there is none. A table of states
// stays, and so do the nodes on the way to the last execution.
TEST(Registry, NoNodesAreLeftAtTheEnd) {
  for (const Entry& entry : Entries()) {
    if (space::Samples(entry.point) || space::KeepsStates(entry.point)) continue;
    // What others have begun when the prover is through is left as it is.
    if (entry.point.order == space::Order::kEscalating) continue;
    SCOPED_TRACE(space::NameOf(entry.point));
    const std::vector<target::Instruction> thread = {FetchAdd(0, 1), FetchAdd(0, 1),
                                                     FetchAdd(0, 1)};
    FakeTarget target({.threads = {thread, thread, thread}, .variables = {0}, .semaphores = {}});
    void* state = entry.make_state();
    const auto explorer = entry.Attach(state, 1, nullptr);
    uint64_t executions = 0;
    size_t longest = 0;
    uint64_t most = 0;
    while (const auto plan = explorer->NextPlan()) {
      const trace::Execution& execution = target.Run(*plan);
      explorer->Learn(execution);
      ++executions;
      longest = std::max(longest, execution.choices.size());
      most = std::max(most, explorer->Nodes());
    }
    EXPECT_GE(executions, 1680u);  // 9! / (3! 3! 3!), and with some reductions begun more than once
    EXPECT_GT(most, 0u);
    EXPECT_LE(most, explorer->PeakNodes());
    EXPECT_LT(explorer->PeakNodes(), executions);
    EXPECT_LE(explorer->Nodes(), longest);
    entry.free_state(state);
  }
}

// A search that leaves out schedules within its bound must not say that it is complete, whoever
// asks for it.
TEST(Registry, UnsoundIsRefused) {
  using space::Order;
  using space::Reduction;
  EXPECT_FALSE(Find({Order::kDepthFirst, Reduction::kOptimal, {.most = 0}}));
  EXPECT_FALSE(Find({Order::kContextBounded, Reduction::kSource}));
  EXPECT_FALSE(Find({Order::kRandom, Reduction::kDpor, {.most = 2}}));
  EXPECT_FALSE(Find({.reduction = Reduction::kSleepSets, .points = space::Points::kEvery}));
  EXPECT_FALSE(Find({Order::kPct, Reduction::kOptimal}));
  EXPECT_FALSE(Find({.order = Order::kPos, .depth = 3}));
  EXPECT_TRUE(Find({.order = Order::kPct, .depth = 3}));
  EXPECT_TRUE(Find({Order::kDepthFirst, Reduction::kNone, {.most = 0}}));
  EXPECT_TRUE(Find({Order::kRandom, Reduction::kOptimal}));
}

TEST(MainLoop, GoesOnAfterAStop) {
  const auto entry = Find({.order = space::Order::kContextBounded});
  FakeTarget target = ThreeThreads();
  Counter stops(4);
  Counter all;
  Observer* const observers[] = {&stops, &all};
  ExecutionBudget budget(100);
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kStopped);
  EXPECT_EQ(all.count, 4u);  // every observer saw the execution that stopped the search
  EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kExhausted);
  EXPECT_EQ(all.count, 6u);
  entry->free_state(state);
}

TEST(MainLoop, BudgetOfExecutions) {
  const auto entry = Find({});
  FakeTarget target = ThreeThreads();
  Counter counter;
  Observer* const observers[] = {&counter};
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  for (uint64_t expected : {2u, 4u}) {
    ExecutionBudget budget(2);
    EXPECT_EQ(RunSearch(*explorer, target, observers, budget), SearchEnd::kBudget);
    EXPECT_EQ(counter.count, expected);
  }
  entry->free_state(state);
}

}  // namespace
}  // namespace heddle::explore
