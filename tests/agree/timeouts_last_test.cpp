// Every reduction against plain enumeration when time limits pass only when nothing else can run
// (--timeouts last): a timeout is then a step that comes after every one before it and before every
// one after, and must be reached with everything that other places of blocked operations lead to.
//
// HEDDLE_AGREE_PROGRAMS sets how many programs (default 300), HEDDLE_AGREE_SEED the first seed.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "agree_real/races.h"
#include "enumerate.h"
#include "explore/compose/registry.h"
#include "from_environment.h"
#include "generate.h"

namespace heddle::agree {
namespace {

using target::FakeProgram;
using target::FakeTarget;
using trace::EndKind;

constexpr size_t kMostSchedules = 3000;

struct Meanings {
  std::set<std::tuple<uint64_t, uint64_t, EndKind>> all;  // graph, outcome, ending
  uint64_t executions = 0;
  uint64_t cut = 0;
  bool waited = false;  // time passed in some execution
  bool complete = false;

  void Add(const FakeTarget& target, const trace::Execution& execution) {
    ++executions;
    for (const trace::Step& step : execution.steps) waited |= step.time_passes;
    all.insert({execution.happens_before, target.OutcomeHash(), execution.ending.kind});
  }
};

Meanings Explore(const std::string& name, FakeTarget& target, size_t limit) {
  Meanings meanings;
  const auto found = explore::Find({.reduction = *space::ReductionOf(name)});
  const explore::Entry& entry = *found;
  void* state = entry.make_state();
  while (meanings.executions + meanings.cut <= limit) {
    const auto plan = entry.Attach(state, 1, nullptr)->NextPlan();
    if (!plan) {
      meanings.complete = entry.Attach(state, 1, nullptr)->Complete();
      break;
    }
    const trace::Execution& execution = target.Run(*plan);
    EXPECT_NE(execution.ending.kind, EndKind::kDiverged) << name;
    if (execution.ending.kind == EndKind::kDiverged) break;
    const bool cut = execution.ending.kind == EndKind::kRedundant &&
                     execution.ending.status == trace::kCutByPlan;
    if (cut) {
      ++meanings.cut;
    } else {
      meanings.Add(target, execution);
    }
    entry.Attach(state, 1, nullptr)->Learn(execution);
  }
  entry.free_state(state);
  return meanings;
}

// Compares all reductions with enumeration. False: not compared, because some execution races, is
// ended early (what others did meanwhile is then not preserved), or because there are too many.
bool Check(const FakeProgram& program, bool* waited) {
  FakeTarget target(program, true);
  Meanings expected;
  bool comparable = true;
  const bool all = ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    expected.Add(target, execution);
    EXPECT_EQ(execution.early_timeouts, 0u);
    const EndKind end = execution.ending.kind;
    comparable &= end == EndKind::kExit || end == EndKind::kDeadlock;
    comparable &= !Races(execution).Any();
  });
  *waited = expected.waited;
  if (!all || !comparable) return false;
  for (const std::string name : {"sleep-sets", "dpor", "source", "optimal"}) {
    const Meanings reduced = Explore(name, target, 50 * expected.executions + 1000);
    EXPECT_TRUE(reduced.complete) << name;
    EXPECT_TRUE(reduced.all == expected.all)
        << name << ": " << reduced.all.size() << " of " << expected.all.size();
    if (name == "optimal") {
      EXPECT_EQ(reduced.executions, expected.all.size()) << "a trace twice";
      EXPECT_EQ(reduced.cut, 0u);
    }
  }
  return true;
}

TEST(TimeoutsLast, EveryReductionAgreesWithEnumeration) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 150);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  uint64_t compared = 0;
  uint64_t with_timeouts = 0;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const FakeProgram program = Generator(seed, Vocabulary::kAll).Program();
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 Print(program));
    bool waited = false;
    if (!Check(program, &waited)) continue;
    ++compared;
    with_timeouts += waited;
    if (::testing::Test::HasFailure()) return;
  }
  std::printf("%llu programs compared, %llu with timeouts\n",
              static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(with_timeouts));
}

// Two threads that wait for locks that a third holds until its own time limit passes: what they do
// after is reached in both orders, before and after other limits.
TEST(TimeoutsLast, BlockedOperationsAreLookedForBeforeTimePasses) {
  using namespace target;  // NOLINT: programs read as such
  FakeProgram program;
  program.variables = {0};
  program.semaphores = {0, 0};
  program.mutexes = 1;
  program.threads = {{Lock(0), TimedSemWait(0, 0), Unlock(0)},
                     {TimedLock(0, 0), SkipIf(0, 0, 2), FetchAdd(0, 1), Unlock(0)},
                     {Lock(0), FetchAdd(0, 2, 1), Unlock(0)}};
  bool waited = false;
  EXPECT_TRUE(Check(program, &waited));
  EXPECT_TRUE(waited);
}

}  // namespace
}  // namespace heddle::agree
