#include "explore/compose/minimise.h"

#include <gtest/gtest.h>

#include "explore/random_walk.h"
#include "target/fake_target.h"
#include "unit/every_choice.h"

namespace heddle::explore {
namespace {

using target::AssertEqual;
using target::Assign;
using target::FakeProgram;
using target::FakeTarget;
using target::FetchAdd;
using target::Instruction;
using target::Load;
using target::SemPost;
using target::SemWait;
using target::Store;
using trace::EndKind;

class Assertion final : public SameFinding {
 public:
  bool Holds(const trace::Execution& execution) override {
    ++asked;
    return execution.ending.kind == EndKind::kAssertion;
  }
  int asked = 0;
};

// A lost update among a crowd: two threads increment by load and store, with a lot to do before and
// after; a third checks the sum when both are done; two more only make noise.
FakeProgram LostUpdate() {
  std::vector<Instruction> noise(12, FetchAdd(1, 1));
  std::vector<Instruction> increment = noise;
  increment.push_back(Load(0, 0));
  increment.push_back(Store(0, 0, 1));
  for (const Instruction& instruction : noise) increment.push_back(instruction);
  increment.push_back(SemPost(0));
  return {.threads = {increment,
                      noise,
                      increment,
                      noise,
                      {SemWait(0), SemWait(0), Load(0, 0), AssertEqual(0, 2)}},
          .variables = {0, 0},
          .semaphores = {0}};
}

// From one increment into the other, back, and to the check; the noise never has to run.
constexpr uint32_t kLeastSwitches = 3;

// The first failing execution of a random walk; it stays in `target`.
const trace::Execution& FindBug(FakeTarget& target) {
  RandomWalk::State state;
  RandomWalk explorer(&state, {});
  for (;;) {
    const trace::Execution& execution = target.Run(*explorer.NextPlan());
    explorer.Learn(execution);
    if (execution.ending.kind == EndKind::kAssertion) return execution;
  }
}

uint64_t Shrink(Minimise::State& state, FakeTarget& target, SameFinding& finding) {
  uint64_t executions = 0;
  for (; const auto plan = Minimise(&state, finding).NextPlan(); ++executions) {
    Minimise(&state, finding).Learn(target.Run(*plan));
  }
  return executions;
}

TEST(Minimise, RandomScheduleBecomesOnePreemption) {
  FakeTarget target(LostUpdate());
  Assertion finding;
  Minimise::State state;
  const trace::Execution& failing = FindBug(target);
  ASSERT_GT(failing.preemptions, 10u);
  Minimise::Start(&state, failing, 0, 100000);
  Shrink(state, target, finding);
  EXPECT_EQ(state.preemptions, 1u);
  EXPECT_EQ(state.switches, kLeastSwitches);

  const auto schedule = EveryChoice(Minimise(&state, finding).Schedule());
  const trace::Execution& replayed = target.Run({.deviations = schedule});
  EXPECT_EQ(replayed.ending.kind, EndKind::kAssertion);
  EXPECT_EQ(replayed.preemptions, state.preemptions);
  EXPECT_EQ(replayed.switches, state.switches);
}

TEST(Minimise, BudgetIsKept) {
  FakeTarget target(LostUpdate());
  for (uint64_t budget : {0u, 1u, 7u, 100u}) {
    Assertion finding;
    Minimise::State state;
    const trace::Execution& failing = FindBug(target);
    const uint32_t preemptions = failing.preemptions;
    Minimise::Start(&state, failing, 0, budget);
    EXPECT_LE(Shrink(state, target, finding), budget);
    EXPECT_LE(state.preemptions, preemptions);
    EXPECT_EQ(Minimise(&state, finding).HasFewest(), state.preemptions == 1) << "budget " << budget;
    const auto schedule = EveryChoice(Minimise(&state, finding).Schedule());
    EXPECT_EQ(target.Run({.deviations = schedule}).ending.kind, EndKind::kAssertion);
  }
}

// After context-bounded search the preemptions are minimal, so no search for fewer is made.
TEST(Minimise, OnlySwitchesWhenPreemptionsAreMinimal) {
  FakeTarget target(LostUpdate());
  Assertion finding;
  ContextBounded::State search_state;
  ContextBounded search(&search_state, {});
  const trace::Execution* failing = nullptr;
  while (failing == nullptr) {
    const trace::Execution& execution = target.Run(*search.NextPlan());
    search.Learn(execution);
    if (execution.ending.kind == EndKind::kAssertion) failing = &execution;
  }
  ASSERT_EQ(failing->preemptions, 1u);
  Minimise::State state;
  Minimise::Start(&state, *failing, failing->Cost(), 100000);
  EXPECT_LT(Shrink(state, target, finding), 200u);
  EXPECT_EQ(state.preemptions, 1u);
  EXPECT_EQ(state.switches, kLeastSwitches);
  EXPECT_FALSE(state.fewer.begun);
}

// A bug at the default schedule: there is nothing to leave out.
TEST(Minimise, NothingToDo) {
  FakeTarget target({.threads = {{Assign(0, 1), Load(0, 0), AssertEqual(0, 0)}, {SemWait(0)}},
                     .variables = {0},
                     .semaphores = {0}});
  Assertion finding;
  Minimise::State state;
  Minimise::Start(&state, target.Run({}), 0, 1000);
  Shrink(state, target, finding);
  EXPECT_EQ(state.preemptions, 0u);
  EXPECT_EQ(state.switches, 0u);
  EXPECT_TRUE(state.deviations.empty());
}

// The bug shows at once when a time limit passes early. It also shows by a preemption alone.
TEST(Minimise, DoesWithoutEarlyTimeouts) {
  using target::AssertNot;
  using target::TimedSemWait;
  FakeTarget target({.threads = {{TimedSemWait(0, 1), AssertNot(1, 0), Load(0, 0), AssertNot(0, 1)},
                                 {SemPost(0), Assign(0, 1), Assign(0, 0)}},
                     .variables = {0},
                     .semaphores = {0}});
  const plan::Deviation first[] = {{0, 0}};
  const trace::Execution& failing = target.Run({.deviations = first});
  ASSERT_EQ(failing.ending.kind, EndKind::kAssertion);
  ASSERT_EQ(failing.early_timeouts, 1u);
  ASSERT_EQ(failing.preemptions, 0u);
  Assertion finding;
  for (const uint32_t at_least : {0u, 1u}) {
    Minimise::State state;
    Minimise::Start(&state, target.Run({.deviations = first}), at_least, 1000);
    Shrink(state, target, finding);
    EXPECT_EQ(state.early_timeouts, 0u);
    EXPECT_EQ(state.preemptions, 1u);
  }
}

}  // namespace
}  // namespace heddle::explore
