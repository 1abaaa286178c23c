// Searches that part with branches at random moments: each branch is written down as bytes, and
// taken up later by a search of its own, which parts with branches in turn. Together they must
// reach what plain enumeration reaches; optimal, where all of a step's options sleep together, no
// trace twice.
//
// HEDDLE_AGREE_PROGRAMS sets how many programs (default 60), HEDDLE_AGREE_SEED the first seed; a
// failure prints the seed of its program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "each_program.h"
#include "explore/branch.h"
#include "explore/compose/registry.h"
#include "reference.h"

namespace heddle::agree {
namespace {

using target::FakeTarget;
using trace::EndKind;

struct Together {
  std::set<Meaning> meanings;
  std::set<Meaning> at_rest;
  std::set<uint64_t> graphs;
  uint64_t searches = 0;
  uint64_t executions = 0;  // to an end
  uint64_t cut = 0;
  uint64_t diverged = 0;
  bool complete = true;
};

class Parts {
 public:
  Parts(const explore::Entry& entry, FakeTarget& target, size_t limit, uint64_t seed)
      : entry_(entry), target_(target), limit_(limit), random_(seed) {}

  Together Explore() {
    Search({});
    while (!waiting_.empty() && InLimit()) {
      const uint32_t next = base::NextBelow(random_, static_cast<uint32_t>(waiting_.size()));
      std::swap(waiting_[next], waiting_.back());
      const std::vector<uint8_t> bytes = std::move(waiting_.back());
      waiting_.pop_back();
      Search(bytes);
    }
    together_.complete &= waiting_.empty();
    return together_;
  }

 private:
  bool InLimit() const { return together_.executions + together_.cut <= limit_; }

  // The explorer is made anew for every call, as after the death of the program's process.
  std::unique_ptr<explore::Explorer> At(void* state) const {
    return entry_.Attach(state, 1, nullptr, {}, 0, {.parts = true});
  }

  // `bytes`: of a branch; empty: the whole space.
  void Search(const std::vector<uint8_t>& bytes) {
    ++together_.searches;
    void* const state = entry_.make_state();
    if (!bytes.empty()) {
      const auto branch = explore::LoadBranch(bytes);
      ASSERT_TRUE(branch.has_value());
      ASSERT_TRUE(At(state)->Take(*branch));
    }
    bool finished = false;
    while (!finished && InLimit()) {
      const auto plan = At(state)->NextPlan();
      finished = !plan.has_value();
      if (!plan) break;
      const trace::Execution& execution = target_.Run(*plan);
      Note(execution);
      At(state)->Learn(execution);
      while (base::NextBelow(random_, 3) == 0) {
        const auto branch = At(state)->Split();
        if (!branch) break;
        waiting_.push_back(explore::Save(*branch));
      }
    }
    together_.complete &= finished && At(state)->Complete();
    entry_.free_state(state);
  }

  void Note(const trace::Execution& execution) {
    if (execution.ending.kind == EndKind::kDiverged) ++together_.diverged;
    if (execution.ending.kind == EndKind::kRedundant &&
        execution.ending.status == trace::kCutByPlan) {
      ++together_.cut;
      return;
    }
    ++together_.executions;
    together_.meanings.insert(MeaningOf(target_, execution));
    if (CameToRest(execution)) together_.at_rest.insert(WholeMeaningOf(target_, execution));
    together_.graphs.insert(DependentPairs(execution));
  }

  const explore::Entry& entry_;
  FakeTarget& target_;
  const size_t limit_;
  uint64_t random_;
  std::vector<std::vector<uint8_t>> waiting_;
  Together together_;
};

struct Totals {
  uint64_t searches = 0, executions = 0, cut = 0, graphs = 0;
};
using Counts = std::map<std::string, Totals>;

void CheckProgram(const target::FakeProgram& program, uint64_t seed, Counts& counts) {
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  if (!reference) return;
  SCOPED_TRACE(Named(program, seed));
  std::vector<explore::Entry> entries = explore::Entries();
  entries.push_back(*explore::Find({.bound = {space::Unit::kDepth, 2, true}}));
  for (const explore::Entry& entry : entries) {
    // These do not part with anything; and of this one somebody has to raise the bound
    // (jobs_agree_test.cpp).
    if (!space::PartsWithBranches(entry.point) || !space::CanBeCut(entry.point)) continue;
    const std::string name = space::NameOf(entry.point);
    SCOPED_TRACE(name);
    const Together together =
        Parts(entry, target, 50 * reference->schedules + 1000, seed).Explore();
    if (::testing::Test::HasFatalFailure()) return;
    EXPECT_EQ(together.diverged, 0u) << name;
    const bool reads_from = entry.point.reduction == space::Reduction::kReadsFrom;
    if (reads_from && !together.complete) {  // an operation that it does not model
      EXPECT_TRUE(std::ranges::includes(reference->meanings, together.meanings)) << name;
      continue;
    }
    EXPECT_TRUE(together.complete) << name;
    EXPECT_EQ(together.meanings.size(), reference->meanings.size()) << name;
    EXPECT_TRUE(together.meanings == reference->meanings) << name;
    EXPECT_EQ(together.at_rest.size(), reference->at_rest.size()) << name;
    EXPECT_TRUE(together.at_rest == reference->at_rest) << name;
    if (entry.point.reduction == space::Reduction::kNone) {
      EXPECT_EQ(together.executions, reference->schedules) << "each once";
    } else if (entry.point.reduction == space::Reduction::kOptimal && !HasSections(program) &&
               !HasChoices(program)) {
      EXPECT_EQ(together.executions, together.graphs.size()) << "a trace twice";
    }
    Totals& totals = counts[name];
    totals.searches += together.searches;
    totals.executions += together.executions;
    totals.cut += together.cut;
    totals.graphs += together.graphs.size();
  }
}

void CheckPrograms(Vocabulary vocabulary) {
  Counts counts;
  const bool passed = EachProgram(vocabulary, 30, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, counts);
  });
  if (!passed) return;
  for (const auto& [name, totals] : counts) {
    std::printf("  %-24s %llu searches, %llu executions of %llu graphs, %llu cut short\n",
                name.c_str(), static_cast<unsigned long long>(totals.searches),
                static_cast<unsigned long long>(totals.executions),
                static_cast<unsigned long long>(totals.graphs),
                static_cast<unsigned long long>(totals.cut));
  }
}

TEST(SplitAgrees, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }

TEST(SplitAgrees, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }

TEST(SplitAgrees, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }

TEST(SplitAgrees, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }

TEST(SplitAgrees, OnProgramsThatAdd) { CheckPrograms(Vocabulary::kAdds); }

TEST(SplitAgrees, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }

TEST(SplitAgrees, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

// Explores the branch to its end in a process of its own. Answers the graphs of what it ran to an
// end, one for each execution.
std::vector<uint64_t> InAnotherProcess(const explore::Entry& entry, FakeTarget& target,
                                       const std::vector<uint8_t>& bytes) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    void* const state = entry.make_state();
    const auto explorer = entry.Attach(state, 1, nullptr);
    const auto branch = explore::LoadBranch(bytes);
    if (!branch || !explorer->Take(*branch)) _exit(1);
    while (const auto plan = explorer->NextPlan()) {
      const trace::Execution& execution = target.Run(*plan);
      const uint64_t graph = DependentPairs(execution);
      const bool whole = execution.ending.kind != EndKind::kRedundant;
      if (whole && write(ends[1], &graph, sizeof graph) != sizeof graph) _exit(1);
      explorer->Learn(execution);
    }
    _exit(explorer->Complete() ? 0 : 1);
  }
  close(ends[1]);
  std::vector<uint64_t> graphs;
  for (uint64_t graph; read(ends[0], &graph, sizeof graph) == sizeof graph;)
    graphs.push_back(graph);
  close(ends[0]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return graphs;
}

// Three threads that lock, write and unlock: 3! orders of the locks, and nothing else. Whoever is
// next in the process that began parts with what is left as soon as it can.
TEST(SplitAgrees, InOtherProcesses) {
  target::FakeProgram program;
  program.mutexes = 1;
  program.variables = {0};
  program.threads.assign(3, {target::Lock(0), target::Assign(0, 1), target::Unlock(0)});
  FakeTarget target(program);
  for (const auto reduction : {space::Reduction::kSource, space::Reduction::kOptimal}) {
    const auto entry = explore::Find({space::Order::kDepthFirst, reduction});
    ASSERT_TRUE(entry);
    void* const state = entry->make_state();
    const auto explorer = entry->Attach(state, 1, nullptr);
    std::vector<uint64_t> graphs;
    int parted = 0;
    while (const auto plan = explorer->NextPlan()) {
      const trace::Execution& execution = target.Run(*plan);
      if (execution.ending.kind != EndKind::kRedundant) graphs.push_back(DependentPairs(execution));
      explorer->Learn(execution);
      while (const auto branch = explorer->Split()) {
        ++parted;
        std::ranges::copy(InAnotherProcess(*entry, target, explore::Save(*branch)),
                          std::back_inserter(graphs));
      }
    }
    EXPECT_TRUE(explorer->Complete());
    EXPECT_GE(parted, 2);
    EXPECT_EQ(graphs.size(), 6u);
    EXPECT_EQ(std::set<uint64_t>(graphs.begin(), graphs.end()).size(), 6u);
    entry->free_state(state);
  }
}

}  // namespace
}  // namespace heddle::agree
