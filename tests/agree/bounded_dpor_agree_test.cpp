// Bounded partial-order reduction without a table against plain enumeration, on random small
// programs: with bound c it must reach all that some schedule reaches with at most c preemptions
// and early timeouts, by as many schedules as are within the bound at most. Where it leaves nothing
// out, it must run exactly those.
//
// The explorer objects are made anew for every execution, over the same State, as after the death
// of the program's process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "each_program.h"
#include "explore/por/bounded_dpor.h"
#include "reference.h"

namespace heddle::agree {
namespace {

using explore::BoundedDpor;
using explore::Options;
using target::FakeTarget;
using trace::EndKind;

struct Counts {
  uint64_t programs = 0, left_out = 0, searches = 0, without_reduction = 0, executions = 0,
           schedules = 0, meanings = 0;
};

// What the executions within a bound mean, and the least cost of each meaning. An end of the
// program commutes with all that others do, so BPOR, like the reductions without a bound, need not
// reach every moment at which it may come (reference.h).
struct Meanings {
  std::map<Meaning, uint32_t> all;
  std::map<Meaning, uint32_t> at_rest;

  void Take(const FakeTarget& target, const trace::Execution& execution) {
    const auto add = [&](std::map<Meaning, uint32_t>& meanings, const Meaning& meaning) {
      const auto [it, added] = meanings.try_emplace(meaning, execution.Cost());
      it->second = std::min(it->second, execution.Cost());
    };
    add(all, MeaningOf(target, execution));
    if (CameToRest(execution)) add(at_rest, WholeMeaningOf(target, execution));
  }
};

bool Reaches(const std::map<Meaning, uint32_t>& reached, const std::map<Meaning, uint32_t>& wanted,
             uint32_t bound) {
  return std::ranges::all_of(wanted, [&](const auto& entry) {
    return entry.second > bound || reached.contains(entry.first);
  });
}

// What enumeration finds: the meanings, and the cost of every schedule.
struct Enumerated {
  Meanings meanings;
  std::vector<uint32_t> costs;
};

void Check(FakeTarget& target, const Enumerated& enumerated, uint32_t bound, bool iterates,
           Counts& counts) {
  SCOPED_TRACE((iterates ? "without a table, up to bound " : "without a table, bound ") +
               std::to_string(bound));
  const Meanings& expected = enumerated.meanings;
  const auto schedules = static_cast<uint64_t>(
      std::ranges::count_if(enumerated.costs, [&](uint32_t cost) { return cost <= bound; }));
  Options options;
  options.bound.most = bound;
  options.iterates = iterates;
  BoundedDpor::State state;
  const auto explorer = [&] { return BoundedDpor(&state, options); };
  Meanings reached;
  uint64_t executions = 0;
  uint64_t thrown_away = 0;  // before it began again, to leave nothing out
  for (;;) {
    auto first = explorer();
    const auto plan = first.NextPlan();
    if (!plan || executions > 50 * schedules + 1000) break;
    const trace::Execution& execution = target.Run(*plan);
    ASSERT_NE(execution.ending.kind, EndKind::kDiverged);
    ++executions;
    reached.Take(target, execution);
    const bool reduced = !state.without;
    explorer().Learn(execution);
    if (reduced && state.without) thrown_away = executions;
  }
  EXPECT_TRUE(Reaches(reached.all, expected.all, bound));
  EXPECT_TRUE(Reaches(reached.at_rest, expected.at_rest, bound));
  EXPECT_TRUE(Reaches(expected.all, reached.all, explore::kUnbounded)) << "something else";
  if (explorer().Complete()) {
    EXPECT_EQ(reached.all.size(), expected.all.size());
    EXPECT_EQ(reached.at_rest.size(), expected.at_rest.size());
  }
  EXPECT_EQ(explorer().Gap(), std::nullopt);
  if (iterates) {  // each at its least
    EXPECT_EQ(reached.all, expected.all);
    EXPECT_EQ(reached.at_rest, expected.at_rest);
    return;
  }
  ++counts.searches;
  EXPECT_LE(executions - thrown_away, schedules);
  if (state.without) {
    EXPECT_EQ(executions - thrown_away, schedules);
    ++counts.without_reduction;
    return;
  }
  counts.executions += executions;
  counts.schedules += schedules;
  counts.meanings += reached.all.size();
}

void CheckProgram(const target::FakeProgram& program, uint64_t seed, Counts& counts) {
  FakeTarget target(program);
  Enumerated enumerated;
  bool races = false;
  const bool all = ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    enumerated.meanings.Take(target, execution);
    enumerated.costs.push_back(execution.Cost());
    races |= Races(execution).Any();
  });
  if (!all || races) {
    ++counts.left_out;
    return;
  }
  SCOPED_TRACE(Named(program, seed));
  ++counts.programs;
  const uint32_t most = std::ranges::max(enumerated.costs);
  for (uint32_t bound = 0; bound <= most; ++bound) Check(target, enumerated, bound, false, counts);
  Check(target, enumerated, explore::kUnbounded, false, counts);
  Check(target, enumerated, explore::kUnbounded, true, counts);
}

void CheckPrograms(Vocabulary vocabulary) {
  Counts counts;
  const bool passed = EachProgram(vocabulary, 50, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, counts);
  });
  if (!passed) return;
  const auto print = [](const char* what, uint64_t count) {
    std::printf("%s%llu", what, static_cast<unsigned long long>(count));
  };
  print("programs ", counts.programs);
  print(", left out ", counts.left_out);
  print(", searches ", counts.searches);
  print(", of these without reduction ", counts.without_reduction);
  print("; the others: executions ", counts.executions);
  print(", schedules ", counts.schedules);
  print(", meanings ", counts.meanings);
  std::printf("\n");
}

TEST(BoundedDporAgrees, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }
TEST(BoundedDporAgrees, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }
TEST(BoundedDporAgrees, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }
TEST(BoundedDporAgrees, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }
TEST(BoundedDporAgrees, OnProgramsThatAdd) { CheckPrograms(Vocabulary::kAdds); }

TEST(BoundedDporAgrees, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }
TEST(BoundedDporAgrees, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

}  // namespace
}  // namespace heddle::agree
