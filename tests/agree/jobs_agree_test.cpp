// Several searches that make one together, as the jobs of heddle check do (session/pool.cpp), in
// this process: in a random order each runs an execution, parts with branches, or takes some; those
// that explore bounds in turn go on to the next one when all are idle. Together they must run what
// the undivided search does: without a reduction each schedule once, with optimal each trace once,
// and the traces of all have the same sum; and when a bound is through, it is through for all.
//
// HEDDLE_AGREE_PROGRAMS sets how many programs (default 20), HEDDLE_AGREE_SEED the first seed; a
// failure prints the seed of its program.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
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

// What is known of the program by enumeration.
struct Space {
  std::map<uint32_t, uint64_t> schedules;  // by cost
  std::map<uint64_t, uint32_t> least;      // of each graph
  std::set<Meaning> meanings;
  bool early = false;  // a thread ended the program while others could have gone on

  uint64_t SchedulesUpTo(uint32_t bound) const {
    uint64_t count = 0;
    for (const auto& [cost, some] : schedules) count += cost <= bound ? some : 0;
    return count;
  }
  std::set<uint64_t> GraphsUpTo(uint32_t bound) const {
    std::set<uint64_t> graphs;
    for (const auto& [graph, cost] : least)
      if (cost <= bound) graphs.insert(graph);
    return graphs;
  }
};

bool IsCut(const trace::Execution& execution) {
  return execution.ending.kind == EndKind::kRedundant &&
         execution.ending.status == trace::kCutByPlan;
}

bool Counts(const trace::Execution& execution) {
  return trace::ClassOf(execution.ending.kind) == trace::EndClass::kComplete;
}

uint64_t ScheduleOf(const trace::Execution& execution) {
  uint64_t hash = base::kEmptyHash;
  for (const trace::Choice& choice : execution.choices) hash = base::Fold(hash, choice.chosen + 1);
  return hash;
}

Space SpaceOf(FakeTarget& target) {
  Space space;
  ForEachExecution(target, kMostSchedules, [&](const trace::Execution& execution) {
    ++space.schedules[execution.Cost()];
    space.meanings.insert(MeaningOf(target, execution));
    space.early |= !CameToRest(execution);
    if (!Counts(execution)) return;
    const auto [at, fresh] = space.least.try_emplace(execution.happens_before, execution.Cost());
    if (!fresh) at->second = std::min(at->second, execution.Cost());
  });
  return space;
}

struct Seen {
  std::multiset<uint64_t> schedules;
  std::set<uint64_t> graphs;  // happens-before, of executions that ended by themselves
  std::set<uint64_t> traces;
  std::set<Meaning> meanings;
  uint64_t executions = 0;
  uint64_t counted = 0;  // of those
  uint64_t cut = 0;
  uint64_t diverged = 0;
  uint64_t parted = 0;
  uint64_t ran_again = 0;
  uint32_t began_again = 0;
  bool complete = true;
};

class Jobs {
 public:
  Jobs(const explore::Entry& entry, const target::FakeProgram& program, const Space& space,
       uint64_t limit, uint64_t seed, size_t jobs)
      : entry_(entry),
        space_(space),
        limit_(limit),
        random_(seed),
        parts_every_(seed % 2 == 0 ? 3 : 40),
        in_turn_(space::BoundsInTurn(entry.point)) {
    jobs_.resize(jobs);
    for (size_t i = 0; i < jobs; ++i) targets_.push_back(std::make_unique<FakeTarget>(program));
    BeginAlone(false);
  }
  ~Jobs() { FreeAll(); }

  // False: it took too many executions.
  bool Explore() {
    for (;;) {
      if (seen_.executions + seen_.cut > limit_) return false;
      const size_t which = Below(jobs_.size());
      Job& job = jobs_[which];
      if (job.busy) {
        RunOne(job);
      } else if (!stock_.empty()) {
        TakeOne(job);
      } else if (std::ranges::none_of(jobs_, &Job::busy) && !RaiseBound()) {
        for (Job& one : jobs_) {
          if (one.nothing_own) continue;
          At(one)->EndTogether();
          seen_.complete &= At(one)->Complete();
        }
        return true;
      }
    }
  }
  const Seen& All() const { return seen_; }

 private:
  struct Job {
    void* state = nullptr;
    bool busy = false;
    bool nothing_own = true;
    const trace::Execution* ran = nullptr;  // and was not learnt from yet
  };

  size_t Below(size_t bound) { return base::NextBelow(random_, static_cast<uint32_t>(bound)); }
  // Made anew for every call, as after the death of the program's process.
  std::unique_ptr<explore::Explorer> At(const Job& job) const {
    explore::Peers peers = {.parts = true, .gate = explore::BoundGate(closed_)};
    if (space::KeepsStates(entry_.point))
      peers.shared = {table_.data(), table_.size() * sizeof table_[0]};
    return entry_.Attach(job.state, 1, nullptr, {}, 0, peers);
  }

  void FreeAll() {
    for (Job& job : jobs_)
      if (job.state != nullptr) entry_.free_state(job.state);
  }

  void BeginAlone(bool beyond) {
    FreeAll();
    const uint32_t again = seen_.began_again + (beyond ? 1 : 0);
    seen_ = {};
    seen_.began_again = again;
    stock_.clear();
    bound_ = 0;
    for (Job& job : jobs_) job = {entry_.make_state()};
    jobs_[0].busy = true;
    jobs_[0].nothing_own = false;
    if (beyond) At(jobs_[0])->RestartWithoutSplitting();
  }

  FakeTarget& TargetOf(const Job& job) { return *targets_[&job - jobs_.data()]; }

  // What was run is learnt from later: others may be in the middle of an execution, too.
  void RunOne(Job& job) {
    if (job.ran != nullptr) return LearnOne(job);
    const auto plan = At(job)->NextPlan();
    if (!plan) {
      if (At(job)->BeginsAgain()) return BeginAlone(true);
      job.busy = false;
      return;
    }
    job.ran = &TargetOf(job).Run(*plan);
    if (Below(2) == 0) LearnOne(job);
  }

  void LearnOne(Job& job) {
    Note(job, *job.ran);
    const uint64_t again = At(job)->RanAgain();
    At(job)->Learn(*std::exchange(job.ran, nullptr));
    seen_.ran_again += At(job)->RanAgain() - again;
    while (Below(parts_every_) == 0) {
      const auto branch = At(job)->Split();
      if (!branch) break;
      ++seen_.parted;
      stock_.push_back(explore::Save(*branch));
    }
  }

  void TakeOne(Job& job) {
    std::swap(stock_[Below(stock_.size())], stock_.back());
    const auto branch = explore::LoadBranch(stock_.back());
    stock_.pop_back();
    ASSERT_TRUE(branch.has_value());
    if (!At(job)->TakesMore()) {
      seen_.complete &= job.nothing_own || At(job)->Complete();
      entry_.free_state(job.state);
      job.state = entry_.make_state();
    }
    ASSERT_TRUE(At(job)->Take(*branch));
    job.nothing_own = false;
    job.busy = true;
  }

  // All are idle. False: there is no next bound.
  bool RaiseBound() {
    if (!in_turn_) return false;
    if (entry_.point.bound.unit == space::Unit::kPreemptions) CheckThrough();
    const bool more =
        std::ranges::any_of(jobs_, [&](const Job& job) { return At(job)->AwaitsBound(); });
    if (!more) return false;
    ++bound_;
    for (Job& job : jobs_) job.busy = !job.nothing_own && At(job)->RaiseBound();
    return true;
  }

  // What is within the present bound was run, by somebody.
  void CheckThrough() {
    if (entry_.point.reduction == space::Reduction::kNone) {
      EXPECT_EQ(seen_.executions, space_.SchedulesUpTo(bound_)) << "bound " << bound_;
    } else if (!space_.early) {
      EXPECT_TRUE(std::ranges::includes(seen_.graphs, space_.GraphsUpTo(bound_)))
          << "bound " << bound_;
    }
  }

  void Note(const Job& job, const trace::Execution& execution) {
    seen_.diverged += execution.ending.kind == EndKind::kDiverged ? 1 : 0;
    if (IsCut(execution)) {
      ++seen_.cut;
      return;
    }
    ++seen_.executions;
    // With a table of states, a cheaper schedule of the same graph is within the bound.
    if (in_turn_ && entry_.point.bound.unit == space::Unit::kPreemptions &&
        !space::KeepsStates(entry_.point)) {
      EXPECT_LE(execution.Cost(), bound_) << "an execution before its turn";
      if (entry_.point.reduction == space::Reduction::kNone) {
        EXPECT_EQ(execution.Cost(), bound_);
      }
    }
    seen_.schedules.insert(ScheduleOf(execution));
    seen_.traces.insert(DependentPairs(execution));
    seen_.meanings.insert(MeaningOf(TargetOf(job), execution));
    if (!Counts(execution)) return;
    ++seen_.counted;
    seen_.graphs.insert(execution.happens_before);
  }

  const explore::Entry& entry_;
  const Space& space_;
  const uint64_t limit_;
  uint64_t random_;
  const size_t parts_every_;  // one in so many executions, on average
  const bool in_turn_;
  const std::atomic<uint32_t> closed_ = 1;
  std::vector<Job> jobs_;
  std::vector<std::unique_ptr<FakeTarget>> targets_;  // by job
  struct alignas(64) Line {
    char bytes[64];
  };
  mutable std::vector<Line> table_ = std::vector<Line>(size_t{1} << 18);  // of states
  std::vector<std::vector<uint8_t>> stock_;
  uint32_t bound_ = 0;
  Seen seen_;
};

struct Totals {
  uint64_t programs = 0, executions = 0, cut = 0, parted = 0, alone = 0, began_again = 0,
           ran_again = 0;
};

// Of the undivided search: what it runs to an end.
Seen Undivided(const explore::Entry& entry, FakeTarget& target, uint64_t limit) {
  Seen seen;
  void* const state = entry.make_state();
  const auto explorer = entry.Attach(state, 1, nullptr);
  while (const auto plan = explorer->NextPlan()) {
    const trace::Execution& execution = target.Run(*plan);
    if (IsCut(execution)) {
      ++seen.cut;
    } else {
      ++seen.executions;
      if (Counts(execution)) {
        ++seen.counted;
        seen.graphs.insert(execution.happens_before);
      }
    }
    explorer->Learn(execution);
    if (seen.executions + seen.cut > limit) break;
  }
  seen.ran_again = explorer->RanAgain();
  seen.complete = explorer->Complete();
  entry.free_state(state);
  return seen;
}

std::vector<explore::Entry> SharedEntries() {
  std::vector<explore::Entry> entries;
  for (const explore::Entry& entry : explore::Entries())
    if (space::PartsWithBranches(entry.point)) entries.push_back(entry);
  using space::Order, space::Reduction, space::Unit;
  const auto add = [&](Order order, Reduction reduction, space::Bound bound) {
    if (const auto entry = explore::Find({order, reduction, bound})) entries.push_back(*entry);
  };
  add(Order::kDepthFirst, Reduction::kNone, {Unit::kDepth, 2, true});
  add(Order::kContextBounded, Reduction::kNone, {Unit::kPreemptions, 1});
  add(Order::kContextBounded, Reduction::kNone, {Unit::kDelays, 2});
  add(Order::kContextBounded, Reduction::kBounded, {Unit::kPreemptions, 1});
  for (const Reduction states : {Reduction::kHappensBefore, Reduction::kHappensBeforeAll}) {
    add(Order::kContextBounded, states, {Unit::kPreemptions, 2});
    add(Order::kDepthFirst, states, {Unit::kPreemptions, 1});
  }
  add(Order::kDepthFirst, Reduction::kBounded, {Unit::kPreemptions, 2});
  add(Order::kBestFirst, Reduction::kNone, {Unit::kPreemptions, 2});
  return entries;
}

std::string Name(const space::Point& point) {
  std::string name = space::NameOf(point);
  if (!point.bound.IsNone())
    name +=
        " " + std::string(space::NameOf(point.bound.unit)) + "=" + std::to_string(point.bound.most);
  return name;
}

void CheckProgram(const target::FakeProgram& program, uint64_t seed,
                  std::map<std::string, Totals>& totals) {
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  if (!reference) return;
  SCOPED_TRACE(Named(program, seed));
  const Space space = SpaceOf(target);
  const uint64_t limit = 50 * reference->schedules + 1000;
  const bool plain = !HasSections(program) && !HasChoices(program);
  for (const explore::Entry& entry : SharedEntries()) {
    const space::Point& point = entry.point;
    const std::string name = Name(point);
    SCOPED_TRACE(name);
    const bool whole = point.bound.IsNone() || point.bound.iterate;
    const bool reads_from = point.reduction == space::Reduction::kReadsFrom;
    const Seen alone = Undivided(entry, target, limit);
    Jobs jobs(entry, program, space, limit, seed * 31, 2 + seed % 3);
    ASSERT_TRUE(jobs.Explore());
    if (::testing::Test::HasFatalFailure()) return;
    const Seen& all = jobs.All();
    EXPECT_EQ(all.diverged, 0u);
    if (point.reduction == space::Reduction::kNone) {
      EXPECT_EQ(all.executions, alone.executions);
      EXPECT_EQ(std::set(all.schedules.begin(), all.schedules.end()).size(), all.executions);
      EXPECT_EQ(all.complete, alone.complete);
    } else if (reads_from) {  // which does not model all operations
      EXPECT_EQ(all.executions, alone.executions);
      EXPECT_EQ(all.cut, alone.cut);
      EXPECT_EQ(all.complete, alone.complete);
    } else if (point.reduction == space::Reduction::kBounded && whole) {
      EXPECT_TRUE(all.complete);
    } else if (point.reduction == space::Reduction::kOptimal && plain) {
      EXPECT_EQ(all.executions, all.traces.size()) << "a trace twice";
      if (!space.early) {
        EXPECT_EQ(all.executions, alone.executions);
      }
    } else if (point.reduction == space::Reduction::kHappensBefore && plain) {
      EXPECT_EQ(all.counted - all.ran_again, alone.counted - alone.ran_again);
    }
    if (whole) {
      // An incomplete one says so: sections, by optimal in another order than depth first.
      if (alone.complete || (plain && !reads_from)) {
        EXPECT_TRUE(all.complete);
        EXPECT_TRUE(all.meanings == space.meanings);
      }
      if (plain && !space.early) {
        EXPECT_TRUE(all.graphs == alone.graphs);
      }
    } else if (!space.early && point.bound.unit == space::Unit::kPreemptions) {
      EXPECT_TRUE(std::ranges::includes(all.graphs, space.GraphsUpTo(point.bound.most)));
    }
    Totals& of = totals[name];
    ++of.programs;
    of.executions += all.executions;
    of.cut += all.cut;
    of.ran_again += all.ran_again;
    of.parted += all.parted;
    of.alone += alone.executions;
    of.began_again += all.began_again;
  }
}

void CheckPrograms(Vocabulary vocabulary) {
  std::map<std::string, Totals> totals;
  const bool passed = EachProgram(vocabulary, 10, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, totals);
  });
  if (!passed) return;
  for (const auto& [name, of] : totals) {
    std::printf(
        "  %-36s %llu programs, %llu branches, %llu executions (%llu undivided, %llu run "
        "again), %llu cut short, %llu begun again\n",
        name.c_str(), static_cast<unsigned long long>(of.programs),
        static_cast<unsigned long long>(of.parted), static_cast<unsigned long long>(of.executions),
        static_cast<unsigned long long>(of.alone), static_cast<unsigned long long>(of.ran_again),
        static_cast<unsigned long long>(of.cut), static_cast<unsigned long long>(of.began_again));
  }
}

// Three threads that choose, and then take turns by a lock. A thread that has an option left must
// not sleep because another one was run.
TEST(JobsAgree, OnChoicesBeforeALock) {
  using namespace target;  // NOLINT
  FakeProgram program;
  program.variables = {0};
  program.semaphores = {1};
  for (int t = 0; t < 3; ++t) {
    program.threads.push_back({});
    for (int round = 0; round < (t == 0 ? 2 : 1); ++round) {
      for (const Instruction& one :
           {Choose(2, 0), SemWait(0), Load(0, 1), Assign(0, 1 + t), SemPost(0)})
        program.threads.back().push_back(one);
    }
  }
  FakeTarget target(program);
  for (const explore::Entry& entry : SharedEntries()) {
    if (entry.point.reduction == space::Reduction::kNone || !entry.point.bound.IsNone()) continue;
    if (entry.point.reduction == space::Reduction::kBounded) continue;
    const std::string name = Name(entry.point);
    SCOPED_TRACE(name);
    const Seen alone = Undivided(entry, target, 100'000);
    uint64_t executions = 0, cut = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      const Space space = {};
      Jobs jobs(entry, program, space, 100'000, seed, 2 + seed % 3);
      ASSERT_TRUE(jobs.Explore());
      EXPECT_TRUE(jobs.All().complete);
      EXPECT_EQ(jobs.All().graphs.size(), alone.graphs.size());
      executions += jobs.All().executions;
      cut += jobs.All().cut;
    }
    std::printf("  %-24s %llu graphs; %.1f executions, %.1f cut short\n", name.c_str(),
                static_cast<unsigned long long>(alone.graphs.size()),
                static_cast<double>(executions) / 20, static_cast<double>(cut) / 20);
  }
}

TEST(JobsAgree, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree); }

TEST(JobsAgree, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll); }

TEST(JobsAgree, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives); }

TEST(JobsAgree, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices); }

TEST(JobsAgree, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide); }

TEST(JobsAgree, OnProgramsWithSections) { CheckPrograms(Vocabulary::kSections); }

}  // namespace
}  // namespace heddle::agree
