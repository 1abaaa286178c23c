// Every reduction, depth first, in a random order and best first, against plain enumeration, on
// random small programs: it must reach exactly the happens-before graphs, outcomes and endings that
// enumeration reaches.
//
// The explorer objects are made anew for every execution, over the same State, as after the death
// of the program's process.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "draw_priorities.h"
#include "each_program.h"
#include "explore/compose/registry.h"
#include "reference.h"

namespace heddle::agree {
namespace {

using target::FakeTarget;
using trace::EndKind;

// Programs: one of these in a random order, too, and one best first.
constexpr uint64_t kRandomEvery = 4;

struct Reduced {
  std::set<Meaning> meanings;
  std::set<Meaning> at_rest;
  std::set<uint64_t> graphs;
  uint64_t executions = 0;  // to an end
  uint64_t cut = 0;
  uint64_t ran_again = 0;
  uint64_t diverged = 0;
  bool complete = false;
  bool weak = false;  // says itself that it may have missed something
};

Reduced Explore(const explore::Entry& entry, FakeTarget& target, size_t limit, uint64_t seed) {
  Reduced reduced;
  void* state = entry.make_state();
  while (reduced.executions + reduced.cut <= limit) {
    const auto plan = entry.Attach(state, seed, nullptr)->NextPlan();
    if (!plan) {
      reduced.complete = entry.Attach(state, seed, nullptr)->Complete();
      reduced.weak = entry.Attach(state, seed, nullptr)->Gap().has_value();
      reduced.ran_again = entry.Attach(state, seed, nullptr)->RanAgain();
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
      if (CameToRest(execution)) reduced.at_rest.insert(WholeMeaningOf(target, execution));
      reduced.graphs.insert(DependentPairs(execution));
    }
    entry.Attach(state, seed, nullptr)->Learn(execution);
  }
  entry.free_state(state);
  return reduced;
}

struct Counts {
  uint64_t programs = 0, left_out = 0, schedules = 0, graphs = 0;
  std::map<std::string, uint64_t> executions, cut, ran_again;
};

// `seed`: of the random orders.
void CheckProgram(const target::FakeProgram& program, uint64_t seed, Counts& counts) {
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  if (!reference) {
    ++counts.left_out;
    return;
  }
  SCOPED_TRACE(Named(program, seed));
  ++counts.programs;
  counts.schedules += reference->schedules;
  counts.graphs += reference->meanings.size();
  for (explore::Entry entry : explore::Entries()) {
    if (entry.point.reduction == space::Reduction::kNone) continue;
    if (entry.point.reduction == space::Reduction::kBounded)
      continue;  // bounded_dpor_agree_test.cpp
    const bool best = entry.point.order == space::Order::kBestFirst;
    const bool in_turns = entry.point.order == space::Order::kEscalating;
    const bool random = best || entry.point.order == space::Order::kRandom;
    if (random && seed % kRandomEvery != (best ? 1 : 0)) continue;
    if (in_turns && seed % kRandomEvery != 2) continue;
    if (best) entry.point.priorities = DrawPriorities(seed);
    const std::string name = space::NameOf(entry.point);
    SCOPED_TRACE(name);
    const Reduced reduced = Explore(entry, target, 50 * reference->schedules + 1000, seed);
    EXPECT_EQ(reduced.diverged, 0u) << name;
    EXPECT_TRUE(reduced.complete || reduced.weak) << name;
    const bool optimal = entry.point.reduction == space::Reduction::kOptimal;
    if (reduced.weak) {
      const bool reads_from = entry.point.reduction == space::Reduction::kReadsFrom;
      EXPECT_TRUE(reads_from || (((random && optimal) || space::KeepsStates(entry.point)) &&
                                 HasSections(program)))
          << name;
      EXPECT_TRUE(std::ranges::includes(reference->meanings, reduced.meanings)) << name;
      continue;
    }
    EXPECT_EQ(reduced.meanings.size(), reference->meanings.size()) << name;
    EXPECT_TRUE(reduced.meanings == reference->meanings) << name;
    EXPECT_EQ(reduced.at_rest.size(), reference->at_rest.size()) << name;
    EXPECT_TRUE(reduced.at_rest == reference->at_rest) << name;
    if (optimal && !in_turns && !HasSections(program)) {
      EXPECT_EQ(reduced.executions, reduced.graphs.size()) << "a trace twice";
      EXPECT_EQ(reduced.cut, 0u) << "cut short";
      EXPECT_EQ(reduced.ran_again, 0u) << "run again";
      EXPECT_EQ(reduced.executions - reduced.graphs.size(), reduced.ran_again);
    }
    counts.executions[name] += reduced.executions;
    counts.cut[name] += reduced.cut;
    counts.ran_again[name] += reduced.ran_again;
  }
}

void Print(const Counts& counts) {
  std::printf("%llu programs (%llu left out), %llu schedules, %llu graphs\n",
              static_cast<unsigned long long>(counts.programs),
              static_cast<unsigned long long>(counts.left_out),
              static_cast<unsigned long long>(counts.schedules),
              static_cast<unsigned long long>(counts.graphs));
  for (const auto& [name, executions] : counts.executions) {
    std::printf("  %-24s %llu executions, %llu cut short, %llu run again\n", name.c_str(),
                static_cast<unsigned long long>(executions),
                static_cast<unsigned long long>(counts.cut.at(name)),
                static_cast<unsigned long long>(counts.ran_again.at(name)));
  }
}

void CheckPrograms(Vocabulary vocabulary) {
  Counts counts;
  const bool passed = EachProgram(vocabulary, 125, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, counts);
  });
  if (passed) Print(counts);
}

TEST(ReductionsAgree, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }

TEST(ReductionsAgree, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }

TEST(ReductionsAgree, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }

TEST(ReductionsAgree, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }

TEST(ReductionsAgree, OnProgramsThatAdd) { CheckPrograms(Vocabulary::kAdds); }

TEST(ReductionsAgree, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }

TEST(ReductionsAgree, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

// All three are misuse: the lock was never made. Misuse leaves a lock as it was, so the writer is
// not kept out by a reader before it: each reader comes before or after it, and any of the three
// ends the program.
TEST(ReductionsAgree, OnALockThatWasNeverMade) {
  target::FakeProgram program;
  program.rwlocks = 1;
  program.raw = {{target::ObjectType::kRwLock, 0}};
  program.threads = {
      {target::TimedReadLock(0, 0)}, {target::WriteLock(0)}, {target::TimedReadLock(0, 0)}};
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->at_rest.size(), 4u * 3);
  Counts counts;
  CheckProgram(program, 0, counts);
}

// Nobody gives back the lock, so who has it first decides. The writer: the others fail, in whatever
// order. The one that tries to write: the same. A reader: so has the other reader, and the try
// fails after the first, the second, or both of them. When the writer, blocked to the end, is put
// before both readers, T3's lock comes after it, and so T3's semaphore need not come before it
// (seed 78086160: 104 executions for 77 graphs).
TEST(ReductionsAgree, OnReadersThatTheWriterPrecedes) {
  target::FakeProgram program;
  program.rwlocks = 1;
  program.semaphores = {1};
  program.threads = {{target::TimedReadLock(0, 0)},
                     {target::WriteLock(0)},
                     {target::TryWriteLock(0, 0)},
                     {target::SemTryWait(0, 0), target::TryReadLock(0, 0)}};
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->at_rest.size(), 1u + 1 + 3);
  Counts counts;
  CheckProgram(program, 0, counts);
}

// The wait is a misuse, and its access to the mutex finds that free or held: it comes before or
// after any of the four operations of the other two, whose sections come in either order.
TEST(ReductionsAgree, OnAWaitWithoutItsLock) {
  target::FakeProgram program;
  program.mutexes = program.conditions = 1;
  const std::vector<target::Instruction> section = {target::Lock(0), target::Unlock(0)};
  program.threads = {section, section, {target::CondWait(0, 0)}};
  Counts counts;
  CheckProgram(program, 0, counts);
  EXPECT_EQ(counts.graphs, 1u + 2 * 4);
}

}  // namespace
}  // namespace heddle::agree
