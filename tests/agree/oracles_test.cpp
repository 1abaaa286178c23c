// Numbers that a right explorer must reproduce: distinct happens-before graphs by preemption bound,
// published or derived by hand, and the number of executions of plain enumeration, from closed
// forms. Each is checked with the depth-first and the context-bounded explorer.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "explore/coverage.h"
#include "explore/enumerate/context_bounded.h"
#include "explore/enumerate/depth_first.h"
#include "explore/main_loop.h"
#include "target/fake_target.h"

namespace heddle::agree {
namespace {

using namespace target;  // the instructions, by name
using Thread = std::vector<Instruction>;
using Counts = std::vector<uint64_t>;

// Number of ways to interleave independent threads of the given lengths.
uint64_t Interleavings(const std::vector<uint64_t>& lengths) {
  uint64_t result = 1;
  uint64_t total = 0;
  for (uint64_t length : lengths) {
    for (uint64_t i = 1; i <= length; ++i)
      result = result * ++total / i;  // binomial, exact at every step
  }
  return result;
}

uint64_t Factorial(uint64_t n) { return n < 2 ? 1 : n * Factorial(n - 1); }

// Counts how executions ended.
class Endings final : public explore::Observer {
 public:
  Then OnExecution(const plan::Plan&, const trace::Execution& execution) override {
    const trace::EndKind kind = execution.ending.kind;
    ++executions;
    graphs[kind].insert(execution.happens_before);
    const auto [it, first] = least.try_emplace(kind, execution.Cost());
    if (!first) it->second = std::min(it->second, execution.Cost());
    return Then::kContinue;
  }

  uint64_t executions = 0;
  std::map<trace::EndKind, std::set<uint64_t>> graphs;
  std::map<trace::EndKind, uint32_t> least;  // preemptions and early timeouts
};

struct Result {
  uint64_t executions;
  Counts by_preemptions;
  Endings endings;
};

template <typename Explorer>
Result Explore(const FakeProgram& program) {
  FakeTarget target(program);
  typename Explorer::State state;
  explore::Coverage::State coverage_state;
  Explorer explorer(&state, {});
  explore::Coverage coverage(&coverage_state);
  Result result;
  explore::Observer* const observers[] = {&coverage, &result.endings};
  explore::ExecutionBudget budget(UINT64_MAX);
  RunSearch(explorer, target, observers, budget);
  result.executions = result.endings.executions;
  result.by_preemptions = coverage.ByPreemptions();
  return result;
}

// Both explorers, which must agree; the answer is the depth-first one's.
Result ExploreBoth(const FakeProgram& program) {
  const Result bounded = Explore<explore::ContextBounded>(program);
  Result all = Explore<explore::DepthFirst>(program);
  EXPECT_EQ(all.executions, bounded.executions);
  EXPECT_EQ(all.by_preemptions, bounded.by_preemptions);
  EXPECT_EQ(all.endings.graphs, bounded.endings.graphs);
  EXPECT_EQ(all.endings.least, bounded.endings.least);
  return all;
}

FakeProgram Program(std::vector<Thread> threads, size_t variables, uint32_t mutexes = 0) {
  return {.threads = std::move(threads),
          .variables = std::vector<int64_t>(variables),
          .semaphores = {},
          .mutexes = mutexes};
}

// `threads` threads that each make x = x + 1 as a load and a store.
FakeProgram Increments(size_t threads) {
  return Program(std::vector<Thread>(threads, {Load(0, 0), Store(0, 0, 1)}), 1);
}

TEST(Oracles, FetchAddsNeedNoPreemption) {
  for (uint64_t n : {2u, 3u, 4u}) {
    const Result result = ExploreBoth(Program(std::vector<Thread>(n, Thread{FetchAdd(0, 1)}), 1));
    EXPECT_EQ(result.by_preemptions, Counts{Factorial(n)});
    EXPECT_EQ(result.executions, Factorial(n));
  }
}

TEST(Oracles, Increments) {
  const std::vector<Counts> expected = {{2, 4}, {6, 24, 36}, {24, 168, 432, 576}};
  for (uint64_t n : {2u, 3u, 4u}) {
    const Result result = ExploreBoth(Increments(n));
    EXPECT_EQ(result.by_preemptions, expected[n - 2]);
    EXPECT_EQ(result.executions, Interleavings(std::vector<uint64_t>(n, 2)));
  }
}

// Every thread updates the same three variables in turn. Each variable orders the threads in any of
// N! ways, and all combinations are possible; but each change of order from one variable to the
// next takes preemptions.
FakeProgram ThreeUpdates(size_t threads) {
  return Program(std::vector<Thread>(threads, {FetchAdd(0, 1), FetchAdd(1, 1), FetchAdd(2, 1)}), 3);
}

TEST(Oracles, ThreeUpdates) {
  const std::vector<Counts> expected = {{2, 6, 8}, {6, 42, 120, 192, 216}};
  for (uint64_t n : {2u, 3u}) {
    const Result result = ExploreBoth(ThreeUpdates(n));
    EXPECT_EQ(result.by_preemptions, expected[n - 2]);
    EXPECT_EQ(result.executions, Interleavings(std::vector<uint64_t>(n, 3)));
  }
}

TEST(Oracles, ThreeUpdatesByFourThreads) {
  const Result result = Explore<explore::ContextBounded>(ThreeUpdates(4));
  EXPECT_EQ(result.by_preemptions, (Counts{24, 312, 1704, 5160, 9792, 12960, 13824}));
  EXPECT_EQ(result.executions, Interleavings({3, 3, 3, 3}));
}

TEST(Oracles, LockedIncrementsNeedNoPreemption) {
  const Thread thread = {Lock(0), Load(0, 0), Store(0, 0, 1), Unlock(0)};
  for (uint64_t n : {2u, 3u, 4u}) {
    const Result result = ExploreBoth(Program(std::vector<Thread>(n, thread), 1, 1));
    EXPECT_EQ(result.by_preemptions, Counts{Factorial(n)});
    EXPECT_EQ(result.endings.graphs.size(), 1u);
  }
}

// Both threads pass through the same two locks, one after the other: each lock orders them either
// way.
TEST(Oracles, TwoCriticalSectionsInTheSameOrder) {
  const Result result =
      ExploreBoth(Program({{Lock(0), Assign(0, 1), Unlock(0), Lock(1), Load(1, 0), Unlock(1)},
                           {Lock(0), Load(0, 0), Unlock(0), Lock(1), Assign(1, 1), Unlock(1)}},
                          2, 2));
  EXPECT_EQ(result.by_preemptions, (Counts{2, 4}));
}

// One lock around every access orders all four sections: the six interleavings of two and two.
TEST(Oracles, StoreBuffering) {
  const Result bare =
      ExploreBoth(Program({{Assign(0, 1), Load(1, 0)}, {Assign(1, 1), Load(0, 0)}}, 2));
  EXPECT_EQ(bare.by_preemptions, (Counts{2, 3}));
  EXPECT_EQ(bare.executions, 6u);
  const Result locked =
      ExploreBoth(Program({{Lock(0), Assign(0, 1), Unlock(0), Lock(0), Load(1, 0), Unlock(0)},
                           {Lock(0), Assign(1, 1), Unlock(0), Lock(0), Load(0, 0), Unlock(0)}},
                          2, 1));
  EXPECT_EQ(locked.by_preemptions, (Counts{2, 4, 6}));
}

TEST(Oracles, Dekker) {
  auto side = [](uint16_t mine, uint16_t other) {
    return Thread{Assign(mine, 1), Load(other, 0), SkipIf(0, 1, 2), Load(2, 1), Store(2, 1, 1)};
  };
  const Result result = ExploreBoth(Program({side(0, 1), side(1, 0)}, 3));
  EXPECT_EQ(result.by_preemptions, (Counts{2, 3}));
}

TEST(Oracles, ReadersNeedNoPreemption) {
  for (uint64_t n : {1u, 2u, 5u, 7u}) {
    std::vector<Thread> threads = {{Assign(0, 1)}};
    threads.resize(n + 1, Thread{Load(0, 0)});
    const Result result = ExploreBoth(Program(threads, 1));
    EXPECT_EQ(result.by_preemptions, Counts{uint64_t{1} << n});
    EXPECT_EQ(result.executions, Factorial(n + 1));
  }
}

// Thread j sets a[j] = a[j - 1] + 1, for j = 1 .. writers; another one looks for the last zero,
// from the end.
FakeProgram LastZero(uint16_t writers) {
  Thread searcher;
  for (uint16_t i = writers; i > 0; --i) {
    searcher.push_back(Load(i, 0));
    searcher.push_back(SkipIf(0, 0, 1000));
  }
  searcher.push_back(Load(0, 0));
  std::vector<Thread> threads = {searcher};
  for (uint16_t j = 1; j <= writers; ++j) {
    threads.push_back({Load(static_cast<uint16_t>(j - 1), 0), Store(j, 0, 1)});
  }
  return Program(threads, writers + 1u);
}

// (n + 3) 2^(n - 2) graphs for n writers: the published 64, 3328 and 147456 for 5, 10 and 15.
TEST(Oracles, LastZero) {
  auto graphs = [](uint64_t n) { return (n + 3) << (n - 2); };
  EXPECT_EQ(graphs(5), 64u);
  EXPECT_EQ(graphs(10), 3328u);
  EXPECT_EQ(graphs(15), 147456u);
  for (uint16_t n : {2, 3, 4}) {
    EXPECT_EQ(Explore<explore::DepthFirst>(LastZero(n)).by_preemptions.back(), graphs(n));
  }
}

TEST(Oracles, OppositeLockOrders) {
  const Result result = ExploreBoth(Program(
      {{Lock(0), Lock(1), Unlock(1), Unlock(0)}, {Lock(1), Lock(0), Unlock(0), Unlock(1)}}, 0, 2));
  EXPECT_EQ(result.endings.graphs.at(trace::EndKind::kExit).size(), 2u);
  EXPECT_EQ(result.endings.graphs.at(trace::EndKind::kDeadlock).size(), 1u);
  EXPECT_EQ(result.endings.least.at(trace::EndKind::kExit), 0u);
  EXPECT_EQ(result.endings.least.at(trace::EndKind::kDeadlock), 1u);
}

// MSR-TR-2007-12, Fig. 1: both final values of y are reachable without preemption.
TEST(Oracles, BothOrdersAtBoundZero) {
  FakeTarget target(Program({{Assign(0, 1), Assign(1, 1)}, {Assign(1, 2)}}, 2));
  explore::Options options;
  options.bound.most = 0;
  explore::ContextBounded::State state;
  explore::ContextBounded explorer(&state, options);
  std::multiset<int64_t> final_y;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    final_y.insert(target.Variables()[1]);
    explorer.Learn(execution);
  }
  EXPECT_EQ(final_y, (std::multiset<int64_t>{1, 2}));
  EXPECT_FALSE(explorer.Complete());  // x := 1 and y := 1 can be torn apart, by a preemption
}

// PLDI'07's measure: for a lost update between two increments, one preemption is needed and enough.
TEST(Oracles, LostUpdateNeedsOnePreemption) {
  FakeProgram program = Increments(2);
  program.threads.push_back({SemWait(0), SemWait(0), Load(0, 0), AssertEqual(0, 2)});
  program.semaphores = {0};
  program.threads[0].push_back(SemPost(0));
  program.threads[1].push_back(SemPost(0));
  const Result result = ExploreBoth(program);
  EXPECT_EQ(result.endings.least.at(trace::EndKind::kAssertion), 1u);
}

// Without shared objects there is one graph, but plain enumeration runs every interleaving.
TEST(Oracles, IndependentThreads) {
  const Thread two = {Assign(0, 1), Assign(0, 2)};
  const Thread three = {Assign(1, 1), Assign(1, 2), Assign(1, 3)};
  const Thread four = {Load(2, 0), Load(2, 0), Load(2, 0), Load(2, 0)};
  const Result result = ExploreBoth(Program({two, three, four}, 3));
  EXPECT_EQ(result.executions, Interleavings({2, 3, 4}));
  EXPECT_EQ(result.by_preemptions, Counts{1});
}

// The number of executions with exactly c preemptions of two threads of n steps: a thread that is
// left for good costs nothing. Cutting n steps into k pieces goes in C(n-1, k-1) ways; the pieces
// alternate, and every switch but the last piece of either thread is a preemption.
TEST(Oracles, TwoThreadsByExactPreemptions) {
  constexpr uint64_t kSteps = 5;
  auto pieces = [](uint64_t k) { return Interleavings({k - 1, kSteps - k}); };
  std::map<uint32_t, uint64_t> expected;
  for (uint64_t k = 1; k <= kSteps; ++k) {
    for (uint64_t l : {k - 1, k, k + 1}) {
      if (l < 1 || l > kSteps) continue;
      // k pieces of the first and l of the second; equal numbers can begin with either.
      expected[static_cast<uint32_t>(k + l - 2)] += pieces(k) * pieces(l) * (k == l ? 2 : 1);
    }
  }
  const Thread thread(kSteps, FetchAdd(0, 1));
  FakeTarget target(Program({thread, thread}, 1));
  explore::ContextBounded::State state;
  explore::ContextBounded explorer(&state, {});
  std::map<uint32_t, uint64_t> found;
  while (const auto plan = explorer.NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    ++found[execution.Cost()];
    explorer.Learn(execution);
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace heddle::agree
