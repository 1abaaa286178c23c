// Every reduction, as it searches by default, against the interpreter of every_step.h, which has
// another idea of a step: on random small programs both must know the same ends, with the same
// values.
//
// HEDDLE_AGREE_PROGRAMS sets how many (default 150 of each vocabulary), HEDDLE_AGREE_SEED the
// first seed; a failure prints the seed of its program.
#include "every_step.h"

#include <gtest/gtest.h>

#include <string>

#include "agree_real/races.h"
#include "explore/compose/registry.h"
#include "from_environment.h"
#include "generate.h"
#include "target/fake_target.h"

namespace heddle::agree {
namespace {

using target::FakeTarget;
using trace::EndKind;

constexpr uint64_t kMostStates = 60'000;
constexpr uint64_t kMostExecutions = 3'000;

EndState EndOf(const FakeTarget& target, const trace::Execution& execution) {
  const op::ThreadId ender = execution.ending.thread;
  const auto by_thread = [&](End end) {
    const auto registers = target.Registers(ender);
    return EndState{end, ender, {registers.begin(), registers.end()}};
  };
  const EndKind kind = execution.ending.kind;
  if (kind == EndKind::kAssertion) return by_thread(End::kAssertion);
  if (kind == EndKind::kRedundant) return by_thread(End::kAssumption);
  if (kind == EndKind::kMisuse) return by_thread(End::kMisuse);
  const bool exits =
      !execution.events.empty() && execution.events.back().kind == op::Kind::kProgramExit;
  if (exits) return by_thread(End::kExitCall);
  EndState end = {kind == EndKind::kDeadlock ? End::kDeadlock : End::kExit};
  for (const auto* values : {&target.Variables(), &target.Plain()}) {
    end.values.insert(end.values.end(), values->begin(), values->end());
  }
  for (op::ThreadId id = 0; id < execution.threads; ++id) {
    end.values.push_back(target.Finished(id));
    const auto registers = target.Registers(id);
    end.values.insert(end.values.end(), registers.begin(), registers.end());
  }
  return end;
}

struct Found {
  std::set<EndState> ends;
  bool races = false;  // by happens-before: atomic sections keep accesses apart, but order nothing
  bool weak = false;   // the search says that it may have missed something
};

// Nothing if there are too many executions.
std::optional<Found> Search(const explore::Entry& entry, const target::FakeProgram& program,
                            FakeTarget& target) {
  Found found;
  const bool sections = HasSections(program);
  void* state = entry.make_state();
  const auto explorer = entry.Attach(state, 1, nullptr);
  uint64_t runs = 0;
  bool complete = false;
  while (runs++ < kMostExecutions && !complete) {
    const auto plan = explorer->NextPlan();
    complete = !plan.has_value();
    if (complete) break;
    const trace::Execution& execution = target.Run(*plan);
    const bool cut = execution.ending.kind == EndKind::kRedundant &&
                     execution.ending.status == trace::kCutByPlan;
    if (!cut) found.ends.insert(EndOf(target, execution));
    if (sections && !found.races) found.races = Races(execution).Any();
    explorer->Learn(execution);
  }
  found.weak = complete && explorer->Gap().has_value();
  entry.free_state(state);
  if (!complete) return std::nullopt;
  return found;
}

std::string Describe(const std::set<EndState>& ends, const std::set<EndState>& others) {
  std::string text;
  for (const EndState& end : ends) {
    if (others.contains(end)) continue;
    text += "  end " + std::to_string(static_cast<int>(end.end)) + " by thread " +
            std::to_string(end.thread) + ":";
    for (const int64_t value : end.values) text += " " + std::to_string(value);
    text += "\n";
  }
  return text;
}

void CheckPrograms(Vocabulary vocabulary) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 75);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  uint64_t compared = 0, races = 0, too_large = 0, states = 0;
  std::map<End, uint64_t> seen;
  for (uint64_t seed = first; seed < first + programs && !::testing::Test::HasFailure(); ++seed) {
    const target::FakeProgram program = Generator(seed, vocabulary).Program();
    const std::optional<EveryStep> expected = RunEveryStep(program, kMostStates);
    if (!expected) {
      ++too_large;
      continue;
    }
    states += expected->states;
    if (expected->races) {
      ++races;
      continue;
    }
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 Print(program));
    FakeTarget target(program);
    bool racy = false;
    for (const char* name : {"optimal", "source", "dpor", "sleep-sets"}) {
      const auto found =
          Search(*explore::Find({.reduction = *space::ReductionOf(name)}), program, target);
      if (!found) continue;
      if (found->races) {
        racy = true;
        break;
      }
      EXPECT_FALSE(found->weak) << name;
      EXPECT_TRUE(found->ends == expected->ends)
          << name << " misses\n"
          << Describe(expected->ends, found->ends) << "and has invented\n"
          << Describe(found->ends, expected->ends);
    }
    ++(racy ? races : compared);
    for (const EndState& end : expected->ends) ++seen[end.end];
  }
  std::printf("%llu programs compared, %llu with a race, %llu too large; %llu states; ends:",
              static_cast<unsigned long long>(compared), static_cast<unsigned long long>(races),
              static_cast<unsigned long long>(too_large), static_cast<unsigned long long>(states));
  for (const auto& [end, count] : seen) {
    std::printf(" %d: %llu", static_cast<int>(end), static_cast<unsigned long long>(count));
  }
  std::printf("\n");
}

TEST(EveryStepAgrees, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }

TEST(EveryStepAgrees, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }

TEST(EveryStepAgrees, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }

TEST(EveryStepAgrees, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }

TEST(EveryStepAgrees, OnProgramsThatAdd) { CheckPrograms(Vocabulary::kAdds); }

TEST(EveryStepAgrees, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }

TEST(EveryStepAgrees, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

}  // namespace
}  // namespace heddle::agree
