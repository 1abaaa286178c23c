// Every reduction against plain enumeration, on random small programs: it must reach exactly the
// happens-before graphs, outcomes and endings that enumeration reaches.
//
// HEDDLE_AGREE_PROGRAMS sets how many (default 2,000), HEDDLE_AGREE_SEED the first seed; a failure
// prints the seed of its program. The explorer objects are made anew for every execution, over the
// same State, as after the death of the program's process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "agree_real/races.h"
#include "enumerate.h"
#include "explore/registry.h"
#include "generate.h"

namespace heddle::agree {
namespace {

using target::FakeTarget;
using trace::EndKind;

constexpr size_t kMostSchedules = 3000;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What a reduction must preserve of an execution. Of one that a thread ended early, that it did,
// and after what.
struct Meaning {
  uint64_t graph;
  uint64_t outcome;
  EndKind end;
  friend auto operator<=>(const Meaning&, const Meaning&) = default;
};

Meaning MeaningOf(const FakeTarget& target, const trace::Execution& execution) {
  const EndKind end = execution.ending.kind;
  return {GraphToEnd(execution), EndsEarly(end) ? 0 : target.OutcomeHash(), end};
}

// By plain enumeration.
struct Reference {
  std::set<Meaning> meanings;
  uint64_t schedules = 0;
  bool ends_early = false;  // in some execution
  bool races = false;       // one graph may mean several things: not compared
};

std::optional<Reference> Expected(FakeTarget& target) {
  Reference reference;
  const bool all = ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    ++reference.schedules;
    reference.meanings.insert(MeaningOf(target, execution));
    reference.ends_early |= EndsEarly(execution.ending.kind);
    reference.races |= Races(execution).Any();
  });
  if (!all || reference.races) return std::nullopt;
  return reference;
}

struct Reduced {
  std::set<Meaning> meanings;
  uint64_t executions = 0;  // to an end
  uint64_t cut = 0;
  uint64_t diverged = 0;
  bool complete = false;
};

Reduced Explore(const explore::Entry& entry, FakeTarget& target, size_t limit) {
  Reduced reduced;
  void* state = entry.make_state();
  const explore::Options options;
  while (reduced.executions + reduced.cut <= limit) {
    const auto plan = entry.attach(state, options, nullptr)->NextPlan();
    if (!plan) {
      reduced.complete = entry.attach(state, options, nullptr)->Complete();
      break;
    }
    const trace::Execution& execution = target.Run(*plan);
    if (execution.ending.kind == EndKind::kDiverged) {
      ++reduced.diverged;
      break;
    }
    if (execution.ending.kind == EndKind::kRedundant &&
        execution.ending.status == trace::kCutByPlan) {
      ++reduced.cut;
    } else {
      ++reduced.executions;
      reduced.meanings.insert(MeaningOf(target, execution));
    }
    entry.attach(state, options, nullptr)->Learn(execution);
  }
  entry.free_state(state);
  return reduced;
}

struct Counts {
  uint64_t programs = 0, left_out = 0, schedules = 0, graphs = 0;
  std::map<std::string, uint64_t> executions, cut;
};

void CheckPrograms(Vocabulary vocabulary, uint64_t first, uint64_t programs, Counts& counts) {
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const target::FakeProgram program = Generator(seed, vocabulary).Program();
    FakeTarget target(program);
    const std::optional<Reference> reference = Expected(target);
    if (!reference) {
      ++counts.left_out;
      continue;
    }
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 Print(program));
    ++counts.programs;
    counts.schedules += reference->schedules;
    counts.graphs += reference->meanings.size();
    for (const std::string name : {"sleep-sets", "dpor", "source", "optimal"}) {
      const Reduced reduced =
          Explore(*explore::FindEntry(name), target, 50 * reference->schedules + 1000);
      EXPECT_EQ(reduced.diverged, 0u) << name;
      EXPECT_TRUE(reduced.complete) << name;
      EXPECT_EQ(reduced.meanings.size(), reference->meanings.size()) << name;
      EXPECT_TRUE(reduced.meanings == reference->meanings) << name;
      if (name == "optimal" && !reference->ends_early) {
        EXPECT_EQ(reduced.executions, reference->meanings.size()) << "a trace twice";
        EXPECT_EQ(reduced.cut, 0u) << "cut short";
      }
      counts.executions[name] += reduced.executions;
      counts.cut[name] += reduced.cut;
    }
    if (::testing::Test::HasFailure()) return;
  }
}

void Print(const Counts& counts) {
  std::printf("%llu programs (%llu left out), %llu schedules, %llu graphs\n",
              static_cast<unsigned long long>(counts.programs),
              static_cast<unsigned long long>(counts.left_out),
              static_cast<unsigned long long>(counts.schedules),
              static_cast<unsigned long long>(counts.graphs));
  for (const auto& [name, executions] : counts.executions) {
    std::printf("  %-14s %llu executions, %llu cut short\n", name.c_str(),
                static_cast<unsigned long long>(executions),
                static_cast<unsigned long long>(counts.cut.at(name)));
  }
}

TEST(ReductionsAgree, OnRandomPrograms) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 2000);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  Counts counts;
  CheckPrograms(Vocabulary::kRaceFree, first, programs, counts);
  Print(counts);
}

TEST(ReductionsAgree, OnProgramsWithAllPrimitives) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 2000);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  Counts counts;
  CheckPrograms(Vocabulary::kAll, first, programs, counts);
  Print(counts);
}

}  // namespace
}  // namespace heddle::agree
