// The estimator against exact counts: its expectation over all walks is computed, not sampled, and
// must be the number of schedules, or of happens-before graphs.
#include "explore/hb/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "explore/compose/registry.h"
#include "target/fake_target.h"

namespace heddle::explore {
namespace {

using target::Assign;
using target::FakeProgram;
using target::FakeTarget;
using target::FetchAdd;
using target::Instruction;
using target::Load;
using target::Lock;
using target::Store;
using target::Unlock;

FakeProgram Different(std::vector<std::vector<Instruction>> threads) {
  FakeProgram program;
  program.variables = {0, 0};
  program.mutexes = 2;
  program.threads = std::move(threads);
  return program;
}

FakeProgram Same(uint32_t threads, const std::vector<Instruction>& code) {
  return Different(std::vector<std::vector<Instruction>>(threads, code));
}

struct Named {
  const char* name;
  FakeProgram program;
};

std::vector<Named> Programs() {
  const std::vector<Instruction> locked = {Lock(0), Load(0, 0), Store(0, 0, 1), Unlock(0)};
  return {
      {"three additions", Same(3, {FetchAdd(0, 1)})},
      {"lost updates", Same(3, {Load(0, 0), Store(0, 0, 1)})},
      {"independent",
       Different({{FetchAdd(0, 1), FetchAdd(0, 1)}, {FetchAdd(1, 1), FetchAdd(1, 1)}})},
      {"readers", Different({{Assign(0, 1)}, {Load(0, 0)}, {Load(0, 0)}, {Load(0, 0)}})},
      {"store buffering", Different({{Assign(0, 1), Load(0, 1)}, {Assign(1, 1), Load(0, 0)}})},
      {"locks", Same(3, locked)},
      {"deadlock", Different({{Lock(0), Lock(1), Unlock(1), Unlock(0)},
                              {Lock(1), Lock(0), Unlock(0), Unlock(1)}})},
  };
}

// Every schedule within the bound.
template <typename Visit>
void ForEachSchedule(const FakeProgram& program, uint32_t bound, const Visit& visit) {
  FakeTarget target(program);
  const auto entry = Find({.bound = {.most = bound}});
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  while (const auto plan = explorer->NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    visit(execution);
    explorer->Learn(execution);
  }
  entry->free_state(state);
}

constexpr uint32_t kBounds[] = {0, 1, 2, kUnbounded};

// The probabilities of all schedules add up to 1: so each is counted once.
TEST(Estimate, ItsExpectationIsTheNumberOfSchedules) {
  for (const Named& one : Programs()) {
    for (const uint32_t bound : kBounds) {
      SCOPED_TRACE(one.name + std::string(" within ") + std::to_string(bound));
      double probability = 0;
      ForEachSchedule(one.program, bound, [&](const trace::Execution& execution) {
        probability += 1 / InverseProbability(execution, bound);
      });
      EXPECT_NEAR(probability, 1, 1e-9);
    }
  }
}

// What is computed as the probability of a graph is that of all its schedules: so each graph is
// counted once.
TEST(Estimate, ItsExpectationIsTheNumberOfGraphs) {
  for (const Named& one : Programs()) {
    for (const uint32_t bound : kBounds) {
      SCOPED_TRACE(one.name + std::string(" within ") + std::to_string(bound));
      std::map<uint64_t, std::pair<double, double>> graphs;  // the sum, and what is computed
      ForEachSchedule(one.program, bound, [&](const trace::Execution& execution) {
        auto& [sum, computed] = graphs[execution.happens_before];
        sum += 1 / InverseProbability(execution, bound);
        computed = ProbabilityOfGraph(execution, bound, 100000).value;
      });
      for (const auto& [graph, probability] : graphs)
        EXPECT_NEAR(probability.first, probability.second, 1e-9);
    }
  }
}

// A walk takes what its plan says: the cost is kept, and the schedules come as often as they
// should.
TEST(Estimate, WalksKeepWithinTheBoundAndHaveTheRightMean) {
  for (const Named& one : Programs()) {
    for (const uint32_t bound : kBounds) {
      SCOPED_TRACE(one.name + std::string(" within ") + std::to_string(bound));
      double schedules = 0;
      std::set<uint64_t> graphs;
      ForEachSchedule(one.program, bound, [&](const trace::Execution& execution) {
        ++schedules;
        graphs.insert(execution.happens_before);
      });
      FakeTarget target(one.program);
      Mean plain, reduced;
      for (uint64_t seed = 1; seed <= 4000; ++seed) {
        const trace::Execution& execution = target.Run(ProbePlan(seed, bound));
        EXPECT_LE(execution.Cost(), bound);
        plain.Add(InverseProbability(execution, bound));
        reduced.Add(1 / ProbabilityOfGraph(execution, bound, 100000).value);
      }
      EXPECT_NEAR(plain.Value(), schedules, 5 * plain.StandardError() + 1e-9);
      EXPECT_NEAR(reduced.Value(), static_cast<double>(graphs.size()),
                  5 * reduced.StandardError() + 1e-9);
    }
  }
}
// How many executions optimal DPOR runs.
double TracesOf(const FakeProgram& program) {
  FakeTarget target(program);
  const auto entry = Find({.reduction = space::Reduction::kOptimal});
  void* state = entry->make_state();
  const auto explorer = entry->Attach(state, 1, nullptr);
  double traces = 0;
  while (const auto plan = explorer->NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    traces += execution.ending.kind != trace::EndKind::kRedundant;
    explorer->Learn(execution);
  }
  EXPECT_TRUE(explorer->Complete());
  entry->free_state(state);
  return traces;
}

// As many as a reduction runs, of programs that nobody would enumerate.
TEST(Estimate, NumbersOfTraces) {
  const std::vector<Instruction> increments = {Load(0, 0), Store(0, 0, 1), Load(0, 0),
                                               Store(0, 0, 1)};
  std::vector<std::vector<Instruction>> readers(7, {Load(0, 0)});
  readers[0] = {Assign(0, 1)};
  const struct {
    const char* name;
    FakeProgram program;
    double traces;  // known; 0: only by a search
  } cases[] = {{"increments(2)", Same(2, increments), 0},
               {"increments(3)", Same(3, increments), 0},
               {"lost updates(4)", Same(4, {Load(0, 0), Store(0, 0, 1)}), 576},
               {"additions(6)", Same(6, {FetchAdd(0, 1)}), 720},
               {"readers(6)", Different(readers), 64}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const double traces = TracesOf(c.program);
    if (c.traces != 0) {
      EXPECT_EQ(traces, c.traces);
    }
    FakeTarget target(c.program);
    Mean mean;
    for (uint64_t seed = 1; seed <= 1000; ++seed) {
      const trace::Execution& execution = target.Run(ProbePlan(seed, kUnbounded));
      mean.Add(1 / ProbabilityOfGraph(execution, kUnbounded, 100000).value);
    }
    EXPECT_NEAR(mean.Value(), traces, 5 * mean.StandardError() + 1e-6);
    EXPECT_LT(mean.StandardError(), 0.1 * traces);
  }
}

// Of 8 probes each, as few as heddle believes: most of these have none of the rare large values
// that make the mean.
TEST(Estimate, RangesOfFewProbesHoldTheNumberAndDoNotExcludeEachOther) {
  const struct {
    const char* name;
    FakeProgram program;
    double traces;
  } cases[] = {
      {"additions(4, 8)", Same(4, std::vector<Instruction>(8, FetchAdd(0, 1))), 9.956e16},
      {"additions(2, 20)", Same(2, std::vector<Instruction>(20, FetchAdd(0, 1))), 1.3785e11},
      {"lost updates(4)", Same(4, {Load(0, 0), Store(0, 0, 1)}), 576}};
  constexpr uint64_t kProbes = 8, kTimes = 100;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    FakeTarget target(c.program);
    uint64_t held = 0, excluded = 0;
    std::optional<Mean::Range> before;
    for (uint64_t i = 0; i < kTimes; ++i) {
      Mean mean;
      for (uint64_t seed = 1; seed <= kProbes; ++seed) {
        const trace::Execution& execution = target.Run(ProbePlan(i * kProbes + seed, kUnbounded));
        mean.Add(1 / ProbabilityOfGraph(execution, kUnbounded, 100000).value);
      }
      const Mean::Range range = mean.Likely();
      EXPECT_LE(range.low, mean.Value());
      EXPECT_GE(range.high, mean.Value());
      held += range.low <= c.traces && c.traces <= range.high;
      if (before) excluded += range.high < before->low || before->high < range.low;
      before = range;
    }
    EXPECT_GE(held, 88U);
    EXPECT_LE(excluded, 2U);
  }
}

TEST(Estimate, GivesUpWhereThereAreTooManyPrefixes) {
  FakeTarget target(Same(3, {Load(0, 0), Load(0, 0), Load(0, 0)}));
  const trace::Execution& execution = target.Run({});
  EXPECT_EQ(ProbabilityOfGraph(execution, kUnbounded, 10).value, 0);
  EXPECT_TRUE(ProbabilityOfGraph(execution, kUnbounded, 10).too_many);
  EXPECT_GT(ProbabilityOfGraph(execution, kUnbounded, 1000).value, 0);
  EXPECT_FALSE(ProbabilityOfGraph(execution, kUnbounded, 1000).too_many);
}

TEST(Estimate, MeanAndItsError) {
  Mean mean;
  EXPECT_EQ(mean.StandardError(), 0);
  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) mean.Add(value);
  EXPECT_DOUBLE_EQ(mean.Value(), 5);
  EXPECT_NEAR(mean.StandardError(), std::sqrt(32.0 / 7 / 8), 1e-12);
}

}  // namespace
}  // namespace heddle::explore
