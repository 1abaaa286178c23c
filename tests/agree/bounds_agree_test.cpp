// Context-bounded search with reduction against plain enumeration, on random small programs: with
// bound c it must run exactly one execution of every happens-before graph that some schedule
// reaches with at most c preemptions and early timeouts, and no other (MSR-TR-2007-12, Theorems 2
// to 4); Algorithm 1 must pass through exactly the states within the bound.
//
// The explorer objects are made anew for every execution, over the same State, as after the death
// of the program's process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "each_program.h"
#include "enumerate.h"
#include "explore/hb/cb_por.h"
#include "explore/hb/linearise.h"
#include "reference.h"
#include "trace/cost.h"

namespace heddle::agree {
namespace {

using explore::CbPor;
using explore::Options;
using target::FakeTarget;
using Code = target::Instruction::Code;
using trace::EndKind;

// The least cost of every graph, or of every state.
using Graphs = std::map<uint64_t, uint32_t>;

void Add(Graphs& graphs, uint64_t graph, uint32_t cost) {
  const auto [it, added] = graphs.try_emplace(graph, cost);
  if (!added) it->second = std::min(it->second, cost);
}

// All states that executions pass through, the first one left out.
Graphs StatesOf(FakeTarget& target) {
  Graphs states;
  ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    for (size_t i = 2; i < execution.steps.size(); ++i) {
      const trace::Cost cost = trace::CostOf(execution, execution.steps[i].choice);
      Add(states, execution.steps[i].state, cost.preemptions + cost.early_timeouts);
    }
    if (execution.steps.size() > 1) Add(states, execution.state, execution.Cost());
  });
  return states;
}

struct Searched {
  std::vector<uint64_t> graphs;  // in the order in which they were reached
  std::set<uint64_t> states;
  uint64_t cut_short = 0;
  uint64_t ran_again = 0;
  uint64_t diverged = 0;
  bool complete = false;
  std::string gap;
};

Searched Search(FakeTarget& target, const Options& options, bool every_state, size_t limit) {
  CbPor::State state;
  Searched searched;
  const auto explorer = [&] { return CbPor(&state, options, nullptr, every_state); };
  while (searched.graphs.size() + searched.cut_short <= limit) {
    auto first = explorer();
    const auto plan = first.NextPlan();
    if (!plan) break;
    const trace::Execution& execution = target.Run(*plan);
    if (execution.ending.kind == EndKind::kDiverged) {
      ++searched.diverged;
      break;
    }
    if (execution.ending.kind == EndKind::kRedundant &&
        execution.ending.status == trace::kCutByPlan) {
      ++searched.cut_short;
    } else {
      searched.graphs.push_back(execution.happens_before);
    }
    for (size_t i = 2; i < execution.steps.size(); ++i) {
      searched.states.insert(execution.steps[i].state);
    }
    if (execution.steps.size() > 1) searched.states.insert(execution.state);
    explorer().Learn(execution);
  }
  searched.complete = explorer().Complete();
  searched.ran_again = explorer().RanAgain();
  if (explorer().Gap()) searched.gap = claim::NameOf(*explorer().Gap());
  return searched;
}

std::set<uint64_t> UpTo(const Graphs& graphs, uint32_t bound) {
  std::set<uint64_t> result;
  for (const auto& [graph, least] : graphs) {
    if (least <= bound) result.insert(graph);
  }
  return result;
}

struct Counts {
  uint64_t programs = 0, left_out = 0, searches = 0, executions = 0, cut_short = 0, beyond = 0,
           weak = 0;
};

bool HasAny(const target::FakeProgram& program, std::initializer_list<Code> codes) {
  return std::ranges::any_of(program.threads, [&](const auto& thread) {
    return std::ranges::any_of(thread, [&](const target::Instruction& i) {
      return std::ranges::find(codes, i.code) != codes.end();
    });
  });
}

bool HasYields(const target::FakeProgram& program) { return HasAny(program, {Code::kYield}); }

bool HasTimeLimits(const target::FakeProgram& program) {
  return HasAny(program, {Code::kTimedLock, Code::kTimedSemWait, Code::kTimedCondWait,
                          Code::kTimedReadLock, Code::kTimedWriteLock, Code::kTimedJoin});
}

void Compare(const Searched& searched, const Graphs& graphs, uint32_t bound, bool exact,
             bool sections, Counts& counts) {
  EXPECT_EQ(searched.diverged, 0u);
  if (searched.gap != "" && sections) {
    ++counts.weak;
    return;
  }
  EXPECT_EQ(searched.gap, "");
  EXPECT_EQ(searched.ran_again, 0u);
  const std::set<uint64_t> reached(searched.graphs.begin(), searched.graphs.end());
  EXPECT_EQ(reached.size(), searched.graphs.size()) << "a graph twice";
  const std::set<uint64_t> expected = UpTo(graphs, bound);
  EXPECT_TRUE(std::ranges::includes(reached, expected))
      << expected.size() << " graphs, " << reached.size() << " reached";
  for (uint64_t graph : reached) EXPECT_TRUE(graphs.contains(graph));
  if (exact) {
    EXPECT_EQ(reached.size(), expected.size());
  }
  if (searched.complete) {
    EXPECT_EQ(reached.size(), graphs.size());
  }
  ++counts.searches;
  counts.executions += searched.graphs.size();
  counts.cut_short += searched.cut_short;
  counts.beyond += reached.size() - expected.size();
}

// Of every graph, the execution that is met first: in the order of the fewest preemptions it is the
// same graph, and has as few as any execution of it.
void CheckLinearisations(FakeTarget& target, const Graphs& graphs) {
  struct Reordered {
    uint64_t graph;
    uint32_t cost;
    explore::Linearisation to;
  };
  std::vector<Reordered> all;
  std::set<uint64_t> met;
  ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    const uint64_t graph = execution.happens_before;
    if (!met.insert(graph).second) return;
    const auto to = explore::Linearise(execution, execution.Cost(), 1u << 20);
    EXPECT_EQ(to.has_value(), graphs.at(graph) < execution.Cost());
    if (to) all.push_back({graph, execution.Cost(), *to});
  });
  for (const Reordered& reordered : all) {
    const trace::Execution& execution = target.Run(
        {.deviations = {}, .script = reordered.to.script, .options = reordered.to.options});
    EXPECT_EQ(execution.happens_before, reordered.graph);
    EXPECT_EQ(execution.Cost(), graphs.at(reordered.graph));
    EXPECT_EQ(execution.Cost(), reordered.to.cost);
  }
}

void CheckProgram(const target::FakeProgram& program, uint64_t seed, Counts& counts) {
  FakeTarget target(program);
  const std::vector<Seen> runs = Enumerate(target, kMostSchedules);
  if (runs.size() > kMostSchedules || !Expected(target)) {
    ++counts.left_out;
    return;
  }
  SCOPED_TRACE(Named(program, seed));
  ++counts.programs;
  Graphs graphs;
  uint32_t most = 0;
  for (const Seen& run : runs) {
    Add(graphs, run.happens_before, run.preemptions);
  }
  for (const auto& [graph, least] : graphs) most = std::max(most, least);
  const bool exact = !HasYields(program);
  const bool sections = HasSections(program);
  if (exact && !sections) CheckLinearisations(target, graphs);
  const size_t limit = 50 * runs.size() + 1000;
  for (uint32_t bound = 0; bound <= most + 1; ++bound) {
    SCOPED_TRACE("bound " + std::to_string(bound));
    Options options;
    options.bound.most = bound;
    Compare(Search(target, options, false, limit), graphs, bound, exact, sections, counts);
  }
  if (exact && !sections) {
    const Graphs states = StatesOf(target);
    for (uint32_t bound = 0; bound <= most + 1; ++bound) {
      SCOPED_TRACE("every state, bound " + std::to_string(bound));
      Options options;
      options.bound.most = bound;
      const Searched searched = Search(target, options, true, limit);
      EXPECT_EQ(searched.gap, "");
      const std::set<uint64_t> expected = UpTo(states, bound);
      EXPECT_TRUE(std::ranges::includes(searched.states, expected))
          << expected.size() << " states, " << searched.states.size() << " visited";
      // What a thread with a time limit stands before is not always known where an execution was
      // cut short.
      if (!HasTimeLimits(program)) {
        EXPECT_EQ(searched.states.size(), expected.size());
      }
      EXPECT_EQ(searched.ran_again, 0u);
    }
  }
  {
    SCOPED_TRACE("no bound");
    const Searched searched = Search(target, {}, false, limit);
    Compare(searched, graphs, most, true, sections, counts);
    EXPECT_TRUE(searched.complete || sections);
  }
  {
    SCOPED_TRACE("every bound in turn");
    Options options;
    options.iterates = true;
    const Searched searched = Search(target, options, false, limit);
    Compare(searched, graphs, most, true, sections, counts);
    EXPECT_TRUE(searched.complete || sections);
    const auto least = [&](uint64_t graph) { return graphs.at(graph); };
    if (exact) {
      EXPECT_TRUE(std::ranges::is_sorted(searched.graphs, {}, least));
    }
  }
}

void Print(const Counts& counts) {
  std::printf(
      "%llu programs (%llu left out), %llu searches, %llu executions, %llu cut short, "
      "%llu beyond the bound, %llu weak\n",
      static_cast<unsigned long long>(counts.programs),
      static_cast<unsigned long long>(counts.left_out),
      static_cast<unsigned long long>(counts.searches),
      static_cast<unsigned long long>(counts.executions),
      static_cast<unsigned long long>(counts.cut_short),
      static_cast<unsigned long long>(counts.beyond), static_cast<unsigned long long>(counts.weak));
}

void CheckPrograms(Vocabulary vocabulary) {
  Counts counts;
  const bool passed = EachProgram(vocabulary, 100, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, counts);
  });
  if (passed) Print(counts);
}

TEST(BoundsAgree, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }
TEST(BoundsAgree, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }
TEST(BoundsAgree, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }
TEST(BoundsAgree, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }
TEST(BoundsAgree, OnProgramsThatAdd) { CheckPrograms(Vocabulary::kAdds); }

TEST(BoundsAgree, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }
TEST(BoundsAgree, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

}  // namespace
}  // namespace heddle::agree
