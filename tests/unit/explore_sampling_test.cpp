// The orders that draw schedules, against what the theory says of their probabilities. Seeds are
// fixed, so nothing here is a matter of luck; bounds are at four standard deviations or more.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "explore/random_walk.h"
#include "explore/sample/pct.h"
#include "explore/sample/pos.h"
#include "explore/sample/rff.h"
#include "explore/sample/surw.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::AssertNot;
using target::Assign;
using target::Choose;
using target::FakeProgram;
using target::FakeTarget;
using target::FetchAdd;
using target::Instruction;
using target::Load;
using target::SkipIf;
using target::Yield;

// Of a search for `executions`, of which the first does not count: most have nothing to go by in
// it.
template <typename E>
struct Search {
  typename E::State state = {};
  Options options = {};

  template <typename Visit>
  void Run(FakeTarget& target, int executions, Visit visit) {
    for (int i = 0; i <= executions; ++i) {
      E explorer(&state, options);  // a new one each time, as when the process dies
      const trace::Execution& execution = target.Run(*explorer.NextPlan());
      if (i != 0) visit(execution);
      explorer.Learn(execution);
    }
  }
};

template <typename E>
std::vector<uint64_t> Walk(FakeTarget target, uint64_t seed, int executions) {
  Search<E> search;
  search.options.seed = seed;
  std::vector<uint64_t> steps;
  search.Run(target, executions,
             [&](const trace::Execution& execution) { steps.push_back(execution.steps_hash); });
  return steps;
}

// How often it ends with a failed assertion.
template <typename E>
double ShareOfBugs(FakeTarget target, int executions, uint32_t depth = 3,
                   uint32_t* choices = nullptr) {
  Search<E> search;
  search.options.depth = depth;
  int bugs = 0;
  search.Run(target, executions, [&](const trace::Execution& execution) {
    bugs += execution.ending.kind == trace::EndKind::kAssertion;
  });
  if (choices != nullptr) *choices = search.state.most_choices;
  return static_cast<double>(bugs) / executions;
}

// Pearson's statistic of how often each of `cells` outcomes came, all of them being as likely.
double ChiSquare(const std::map<uint64_t, int>& seen, size_t cells, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(cells);
  double sum = static_cast<double>(cells - seen.size()) * expected;
  for (const auto& [outcome, times] : seen)
    sum += (times - expected) * (times - expected) / expected;
  return sum;
}
// Its mean is the degrees of freedom, its variance twice that.
double FarFromUniform(size_t cells) {
  const auto freedom = static_cast<double>(cells - 1);
  return freedom + 5 * std::sqrt(2 * freedom);
}

std::vector<Instruction> On(std::vector<uint16_t> variables) {
  std::vector<Instruction> code;
  for (uint16_t variable : variables) code.push_back(FetchAdd(variable, 1));
  return code;
}

FakeProgram Program(std::vector<std::vector<Instruction>> threads) {
  return {.threads = std::move(threads), .variables = std::vector<int64_t>(8), .semaphores = {}};
}

template <typename E>
class Sampling : public ::testing::Test {};
using All = ::testing::Types<Pct, Pos, Surw, Rff>;
TYPED_TEST_SUITE(Sampling, All);

FakeTarget Small() { return FakeTarget(Program({On({0}), On({0}), {Choose(4, 0)}})); }

TYPED_TEST(Sampling, TheSeedSaysEverything) {
  EXPECT_EQ(Walk<TypeParam>(Small(), 1, 100), Walk<TypeParam>(Small(), 1, 100));
  EXPECT_NE(Walk<TypeParam>(Small(), 1, 100), Walk<TypeParam>(Small(), 2, 100));
}

// 3! orders times 4 values.
TYPED_TEST(Sampling, EverySchedule) {
  const auto steps = Walk<TypeParam>(Small(), 3, 2400);
  EXPECT_EQ(std::set<uint64_t>(steps.begin(), steps.end()).size(), 24u);
}

TYPED_TEST(Sampling, AnExecutionThatBeginsAgainIsTheSame) {
  FakeTarget target(Program({On({0, 1, 0}), On({1, 0, 1}), On({0, 0, 1})}));
  typename TypeParam::State state = {};
  for (int i = 0; i < 20; ++i) {
    TypeParam explorer(&state, Options());
    const plan::Plan plan = *explorer.NextPlan();
    const uint64_t first = target.Run(plan).steps_hash;
    const trace::Execution& again = target.Run(plan);
    EXPECT_EQ(again.steps_hash, first);
    explorer.Learn(again);
  }
}

// More threads than any execution has shown yet.
TYPED_TEST(Sampling, ManyThreads) {
  const std::vector<std::vector<Instruction>> threads(1000, On({0}));
  const auto steps = Walk<TypeParam>(FakeTarget(Program(threads)), 1, 3);
  EXPECT_EQ(std::set<uint64_t>(steps.begin(), steps.end()).size(), 3u);
}

// ---- PCT ----

// Thread 1 reads x between two writes of thread 0: two constraints.
FakeTarget DepthTwo() {
  std::vector<Instruction> writer = On({2, 2, 2, 2, 2});
  writer.insert(writer.end(), {Assign(0, 1), Assign(0, 0)});
  std::vector<Instruction> reader = On({3, 3, 3, 3});
  reader.insert(reader.end(), {Load(0, 0), AssertNot(0, 1)});
  return FakeTarget(Program({writer, reader, On({4, 4, 4, 4, 4})}));
}

// x = 1, x = 0, y = 1 against a read of x as 1 and then of y as 1: three.
FakeTarget DepthThree() {
  return FakeTarget(Program({{Assign(0, 1), Assign(0, 0), Assign(1, 1)},
                             {Load(0, 0), Load(1, 1), SkipIf(0, 0, 1), AssertNot(1, 1)},
                             On({4, 4})}));
}

TEST(Pct, MeetsABugOfDepthTwoAsOftenAsItSays) {
  uint32_t k = 0;
  constexpr int kDraws = 8000;
  const double share = ShareOfBugs<Pct>(DepthTwo(), kDraws, 2, &k);
  const double bound = 1 / (3.0 * k);
  EXPECT_GE(k, 16u);
  EXPECT_GT(share, bound - 4 * std::sqrt(bound / kDraws));
}

TEST(Pct, MeetsABugOfDepthThreeAsOftenAsItSays) {
  uint32_t k = 0;
  constexpr int kDraws = 8000;
  const double share = ShareOfBugs<Pct>(DepthThree(), kDraws, 3, &k);
  const double bound = 1 / (3.0 * k * k);
  EXPECT_GT(share, bound - 4 * std::sqrt(bound / kDraws));
  // With one change point too few nothing can show it.
  EXPECT_EQ(ShareOfBugs<Pct>(DepthThree(), kDraws, 2), 0);
}

// Depth 1: only the priorities that threads begin with, so one order for each of their orders.
TEST(Pct, WithoutChangePointsThreadsRunOneAfterTheOther) {
  Search<Pct> search;
  search.options.depth = 1;
  FakeTarget target(Program({On({0, 0, 0}), On({0, 0, 0}), On({0, 0, 0})}));
  std::map<uint64_t, int> seen;
  constexpr int kDraws = 1200;
  search.Run(target, kDraws, [&](const trace::Execution& execution) {
    EXPECT_EQ(execution.preemptions, 0u);
    ++seen[execution.steps_hash];
  });
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_LT(ChiSquare(seen, 6, kDraws), FarFromUniform(6));
}

// A thread that yields more often than it has patience for falls behind at one yield of two, so
// after 20 of them it is all but certain that the others have ended.
TEST(Pct, AThreadThatYieldsFallsBehind) {
  std::vector<Instruction> yields(24, Yield());
  yields.push_back(Load(0, 0));
  yields.push_back(AssertNot(0, 0));
  EXPECT_LT(ShareOfBugs<Pct>(FakeTarget(Program({yields, On({0})})), 2000, 1), 0.01);
}

// ---- POS ----

// Thread 0's write races with thread 1's last step only, so its priority is drawn once: it comes
// last if it is the lowest of four. A toss at every choice makes it last one time in eight.
TEST(Pos, WhatIsIndependentIsOneDraw) {
  std::vector<Instruction> reads_last = {Load(0, 0), AssertNot(0, 3)};
  constexpr int kDraws = 20000;
  const auto target = [&] {
    return FakeTarget(Program({reads_last, {Assign(1, 1), Assign(2, 1), Assign(0, 3)}}));
  };
  const double deviation = std::sqrt(0.25 * 0.75 / kDraws);
  EXPECT_NEAR(ShareOfBugs<Pos>(target(), kDraws), 0.25, 4 * deviation);
}

// Here all race with it, and each race is drawn anew: one in eight. Without that it would be one in
// four again.
TEST(Pos, WhatRacesIsDrawnAnew) {
  std::vector<Instruction> reads_last = {Load(0, 0), AssertNot(0, 3)};
  constexpr int kDraws = 20000;
  FakeTarget target(Program({reads_last, {Assign(0, 1), Assign(0, 2), Assign(0, 3)}}));
  const double deviation = std::sqrt(0.125 * 0.875 / kDraws);
  EXPECT_NEAR(ShareOfBugs<Pos>(std::move(target), kDraws), 0.125, 4 * deviation);
}

// ---- SURW ----

template <typename E>
double ChiSquareOfOrders(FakeTarget target, size_t orders, int draws) {
  std::map<uint64_t, int> seen;
  for (uint64_t steps : Walk<E>(std::move(target), 7, draws)) ++seen[steps];
  return ChiSquare(seen, orders, draws);
}

// Two threads of n events have (2n choose n) interleavings. Nothing is shared, so all are of
// interest.
TEST(Surw, AllOrdersOfAllOperationsAreEquallyLikely) {
  const auto target = [] { return FakeTarget(Program({On({0, 0, 0, 0}), On({1, 1, 1, 1})})); };
  constexpr int kDraws = 14000;
  EXPECT_LT(ChiSquareOfOrders<Surw>(target(), 70, kDraws), FarFromUniform(70));
  EXPECT_GT(ChiSquareOfOrders<RandomWalk>(target(), 70, kDraws), 10 * FarFromUniform(70));
}

TEST(Surw, ThreadsOfDifferentLengths) {
  const auto target = [] { return FakeTarget(Program({On({0}), On({1, 1}), On({2, 2, 2, 2})})); };
  constexpr int kDraws = 21000;  // 7! / (1! 2! 4!) = 105
  EXPECT_LT(ChiSquareOfOrders<Surw>(target(), 105, kDraws), FarFromUniform(105));
  EXPECT_GT(ChiSquareOfOrders<RandomWalk>(target(), 105, kDraws), 10 * FarFromUniform(105));
}

// Variable 0 is written by both, two times each: 6 orders, whatever else the threads do.
TEST(Surw, AllOrdersOnOneObjectAreEquallyLikely) {
  FakeTarget target(Program({On({1, 1, 1, 1, 1, 0, 0}), On({0, 2, 0})}));
  Search<Surw> search;
  std::map<uint64_t, int> seen;
  int draws = 0;
  search.Run(target, 6000, [&](const trace::Execution& execution) {
    if (search.state.interesting == 0) return;
    uint64_t order = 1;
    for (const trace::Event& event : execution.events) {
      if (event.object == 0) order = order * 2 + event.thread;
    }
    ++seen[order];
    ++draws;
  });
  EXPECT_EQ(search.state.shared.size(), 1u);  // the others are of one thread each
  EXPECT_NEAR(draws, 3000, 4 * std::sqrt(6000 / 4));
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_LT(ChiSquare(seen, 6, draws), FarFromUniform(6));
}

// A program that creates a thread, played by hand, as fake programs have all theirs from the start:
// main's first of three steps creates thread 2, which has two; thread 1 has two, and is there.
class WithCreation final : public plan::PendingOperations {
 public:
  const op::Operation& Before(op::ThreadId) const override { return step_; }

  // The order of its steps, as digits.
  uint64_t Run(const plan::Sampled& sampled) const {
    std::array<uint32_t, 3> left = {3, 2, 2};
    uint64_t order = 0;
    sampled.by->Begin(sampled.search);
    for (;;) {
      uint64_t open = 0;
      for (op::ThreadId id = 0; id < 3; ++id) {
        const bool exists = id != 2 || left[0] < 3;
        if (exists && left[id] != 0) open |= op::BitOf(id);
      }
      if (open == 0) return order;
      const op::ThreadId next =
          sampled.by->Thread(sampled.search, {op::ThreadSet(&open, 1), {}, {}, *this});
      --left[next];
      order = order * 4 + next;
    }
  }

 private:
  const op::Operation step_ = {.kind = op::Kind::kHook};
};

// The linear extensions of the forest main 1 -> {main 2 -> main 3, a -> b}, c -> d:
// 7! / (5 * 2 * 2 * 2) = 126.
TEST(Surw, WhatIsNotCreatedYetCountsForItsParent) {
  const WithCreation program;
  trace::Event creates = {};
  creates.kind = op::Kind::kThreadCreate;
  creates.other = 2;
  trace::Execution execution;
  execution.events = {&creates, 1};
  execution.threads = 3;
  trace::Choice choice = {};  // without one there would be this schedule only
  choice.kind = trace::ChoiceKind::kValue;
  choice.option_count = 2;
  execution.choices = {&choice, 1};
  Surw::State state;
  std::map<uint64_t, int> seen;
  constexpr int kDraws = 25200;
  for (int i = 0; i <= kDraws; ++i) {
    Surw explorer(&state, Options());
    const uint64_t order = program.Run(explorer.NextPlan()->sampled);
    if (i != 0) ++seen[order];
    explorer.Learn(execution);
  }
  EXPECT_EQ(seen.size(), 126u);
  EXPECT_LT(ChiSquare(seen, 126, kDraws), FarFromUniform(126));
}

// ---- RFF ----

// "reorder_N" (tests/programs/wrong/reorder_stores.c): the checker has to see the first write of
// some thread and the second of none.
FakeProgram Reorder(int setters) {
  std::vector<std::vector<Instruction>> threads(
      static_cast<size_t>(setters), std::vector<Instruction>{Assign(0, 1), Assign(1, 1)});
  threads.push_back({Load(0, 0), Load(1, 1), SkipIf(0, 0, 1), AssertNot(1, 0)});
  return Program(threads);
}

template <typename E>
int ExecutionsToFirstBug(const FakeProgram& program, uint64_t seed, int most) {
  FakeTarget target(program);
  Search<E> search;
  search.options.seed = seed;
  for (int i = 1; i <= most; ++i) {
    E explorer(&search.state, search.options);
    const trace::Execution& execution = target.Run(*explorer.NextPlan());
    if (execution.ending.kind == trace::EndKind::kAssertion) return i;
    explorer.Learn(execution);
  }
  return most + 1;
}

template <typename E>
int MeanToFirstBug(const FakeProgram& program) {
  constexpr int kSeeds = 20;
  int sum = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    sum += ExecutionsToFirstBug<E>(program, seed, 5000);
  return sum / kSeeds;
}

// Threads that do the same are one, so two constraints are enough for however many there are. By
// priorities alone each further one makes it less likely.
TEST(Rff, TheNumberOfThreadsDoesNotMatter) {
  const int few = MeanToFirstBug<Rff>(Reorder(5));
  const int many = MeanToFirstBug<Rff>(Reorder(40));
  EXPECT_LT(few, 40);
  EXPECT_LT(many, 40);
  EXPECT_GT(MeanToFirstBug<Pos>(Reorder(40)), 2 * many);
}

// Every write reads what was there before, so a constraint can ask for what is not to be had: the
// execution goes on all the same.
TEST(Rff, WhatCannotBeHadIsLeftAlone) {
  const auto steps = Walk<Rff>(FakeTarget(Program({On({0, 1}), On({1, 0}), On({0, 0})})), 5, 3000);
  EXPECT_EQ(steps.size(), 3000u);
  EXPECT_GE(std::set<uint64_t>(steps.begin(), steps.end()).size(), 80u);  // of 6! / (2! 2! 2!)
}

}  // namespace
}  // namespace heddle::explore
