// Searches that are cut into pieces, as heddle split, work and merge do (docs/pieces.md): cut at a
// random moment, dealt out to a random number of pieces, each explored for a slice of random
// length, in random order; some by a worker that is lost, some by two that cut them in different
// ways. What the results have together must be what the undivided search has: the same traces, by
// the sum of their fingerprints, the same meanings as enumeration, and no trace twice where that
// holds of the search itself.
//
// HEDDLE_AGREE_PROGRAMS sets how many programs (default 40), HEDDLE_AGREE_SEED the first seed; a
// failure prints the seed of its program.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "each_program.h"
#include "explore/branch.h"
#include "explore/compose/registry.h"
#include "explore/coverage.h"
#include "reference.h"
#include "session/follow.h"

namespace heddle::agree {
namespace {

using target::FakeTarget;
using trace::EndKind;

using Bytes = std::vector<uint8_t>;
using Piece = std::vector<Bytes>;  // branches

constexpr char kRoot[] = "root";

// What one run of a piece has seen.
struct Seen {
  std::set<uint64_t> graphs;  // of executions that ended by themselves: those that are counted
  std::set<uint64_t> traces;  // of all that were not cut short
  std::set<Meaning> meanings;
  std::set<Meaning> at_rest;
  uint64_t executions = 0;  // to an end
  bool complete = true;
  // A thread ended the program while others could have gone on: which of the places where they may
  // have been left is met, is no matter of traces.
  bool early = false;
};

uint64_t SumOf(const std::set<uint64_t>& graphs) {
  uint64_t sum = 0;
  for (const uint64_t graph : graphs) sum += graph;
  return sum;
}

std::string IdOf(const Piece& piece) {
  uint64_t hash = base::kEmptyHash;
  for (const Bytes& branch : piece)
    hash = base::HashBytes(reinterpret_cast<const char*>(branch.data()), branch.size(), hash + 1);
  return std::to_string(hash);
}

class Campaign {
 public:
  Campaign(const explore::Entry& entry, FakeTarget& target, uint64_t limit, uint64_t seed)
      : entry_(entry), target_(target), limit_(limit), random_(seed) {}

  // Empty: it took too many executions.
  std::optional<Seen> Explore() {
    Run(kRoot, {}, 1 + Below(20));
    for (;;) {
      const session::Followed followed = session::Follow(results_, kRoot);
      if (runs_ > limit_) return std::nullopt;
      if (followed.live.empty()) return Merge(followed);
      const std::string id = followed.live[Below(followed.live.size())];
      const uint64_t slice = Below(4) == 0 ? ~uint64_t{0} : 1 + Below(30);
      if (Below(4) == 0) continue;  // its worker was lost
      Run(id, pieces_.at(id), slice);
      if (Below(4) == 0) Run(id, pieces_.at(id), 1 + Below(10));
    }
  }

  uint64_t Runs() const { return results_.size(); }

 private:
  uint64_t Below(uint64_t bound) { return base::NextBelow(random_, static_cast<uint32_t>(bound)); }

  // The piece, empty for the whole search, up to so many executions; what is left, in pieces.
  void Run(const std::string& id, const Piece& piece, uint64_t slice) {
    Seen seen;
    Piece left;
    uint64_t runs = 0;
    if (piece.empty()) RunBranch(nullptr, slice, runs, seen, left);
    for (const Bytes& bytes : piece) {
      if (runs >= slice)
        left.push_back(bytes);
      else
        RunBranch(&bytes, slice, runs, seen, left);
    }
    runs_ += runs;
    session::ResultOfPiece result = {id, {}};
    const uint64_t count = std::min<uint64_t>(1 + Below(5), left.size());
    for (uint64_t i = 0; i < count; ++i) {
      Piece one;
      for (uint64_t at = i; at < left.size(); at += count) one.push_back(left[at]);
      result.left.push_back(IdOf(one));
      pieces_.emplace(result.left.back(), std::move(one));
    }
    results_.push_back(std::move(result));
    seen_.push_back(std::move(seen));
  }

  // Explores a branch to its end, or until `slice` executions were run, and parts with all of it.
  void RunBranch(const Bytes* bytes, uint64_t slice, uint64_t& runs, Seen& seen, Piece& left) {
    void* const state = entry_.make_state();
    const auto explorer = entry_.Attach(state, 1, nullptr);
    if (bytes != nullptr) {
      const auto branch = explore::LoadBranch(*bytes);
      ASSERT_TRUE(branch && explorer->Take(*branch));
    }
    bool begun = false;
    for (;;) {
      if (begun && runs >= slice)
        while (const auto branch = explorer->Split()) left.push_back(explore::Save(*branch));
      const auto plan = explorer->NextPlan();
      if (!plan || runs_ + runs > limit_) break;
      const trace::Execution& execution = target_.Run(*plan);
      begun = true;
      ++runs;
      Note(execution, seen);
      explorer->Learn(execution);
    }
    seen.complete &= explorer->Complete();
    entry_.free_state(state);
  }

  void Note(const trace::Execution& execution, Seen& seen) {
    ASSERT_NE(execution.ending.kind, EndKind::kDiverged);
    if (execution.ending.kind == EndKind::kRedundant &&
        execution.ending.status == trace::kCutByPlan)
      return;
    ++seen.executions;
    seen.traces.insert(DependentPairs(execution));
    seen.meanings.insert(MeaningOf(target_, execution));
    seen.early |= !CameToRest(execution);
    if (CameToRest(execution)) seen.at_rest.insert(WholeMeaningOf(target_, execution));
    if (trace::ClassOf(execution.ending.kind) == trace::EndClass::kComplete)
      seen.graphs.insert(execution.happens_before);
  }

  Seen Merge(const session::Followed& followed) const {
    Seen all;
    for (const size_t i : followed.counted) {
      all.graphs.insert(seen_[i].graphs.begin(), seen_[i].graphs.end());
      all.traces.insert(seen_[i].traces.begin(), seen_[i].traces.end());
      all.meanings.insert(seen_[i].meanings.begin(), seen_[i].meanings.end());
      all.at_rest.insert(seen_[i].at_rest.begin(), seen_[i].at_rest.end());
      all.executions += seen_[i].executions;
      all.complete &= seen_[i].complete;
      all.early |= seen_[i].early;
    }
    return all;
  }

  const explore::Entry& entry_;
  FakeTarget& target_;
  const uint64_t limit_;
  uint64_t random_;
  uint64_t runs_ = 0;
  std::map<std::string, Piece> pieces_;
  std::vector<session::ResultOfPiece> results_;
  std::vector<Seen> seen_;
};

// The sum of the fingerprints of what a search by itself finds, as in JSON.
uint64_t UndividedSum(const explore::Entry& entry, FakeTarget& target, uint64_t limit) {
  void* const state = entry.make_state();
  const auto explorer = entry.Attach(state, 1, nullptr);
  explore::Coverage::State graphs;
  explore::Coverage coverage(&graphs);
  for (uint64_t runs = 0; runs < limit; ++runs) {
    const auto plan = explorer->NextPlan();
    if (!plan) break;
    const trace::Execution& execution = target.Run(*plan);
    coverage.OnExecution(*plan, execution);
    explorer->Learn(execution);
  }
  entry.free_state(state);
  return coverage.Sum();
}

struct Totals {
  uint64_t programs = 0, results = 0, executions = 0;
};

// `alike`: searches with and without a reduction meet the same traces.
void CheckProgram(const target::FakeProgram& program, uint64_t seed, bool alike,
                  std::map<std::string, Totals>& totals) {
  FakeTarget target(program);
  const std::optional<Reference> reference = Expected(target);
  if (!reference) return;
  SCOPED_TRACE(Named(program, seed));
  std::optional<uint64_t> sum;
  for (const explore::Entry& entry : explore::Entries()) {
    if (!space::CanBeCut(entry.point) || entry.point.order == space::Order::kEscalating) continue;
    const std::string name = space::NameOf(entry.point);
    SCOPED_TRACE(name);
    const uint64_t limit = 200 * reference->schedules + 2000;
    Campaign campaign(entry, target, limit, seed);
    const std::optional<Seen> all = campaign.Explore();
    if (::testing::Test::HasFatalFailure()) return;
    ASSERT_TRUE(all.has_value()) << "too many executions";
    const bool reads_from = entry.point.reduction == space::Reduction::kReadsFrom;
    if (reads_from && !all->complete) {  // an operation that it does not model
      EXPECT_TRUE(std::ranges::includes(reference->meanings, all->meanings));
      continue;
    }
    EXPECT_TRUE(all->complete);
    EXPECT_TRUE(all->meanings == reference->meanings);
    EXPECT_TRUE(all->at_rest == reference->at_rest);
    const bool optimal = entry.point.reduction == space::Reduction::kOptimal;
    if (entry.point.reduction == space::Reduction::kNone) {
      EXPECT_EQ(all->executions, reference->schedules) << "each once";
    } else if (optimal && !HasSections(program) && !HasChoices(program)) {
      EXPECT_EQ(all->executions, all->traces.size()) << "a trace twice";
    }
    if (alike && !all->early) {
      EXPECT_EQ(SumOf(all->graphs), UndividedSum(entry, target, limit));
      if (!sum) sum = SumOf(all->graphs);
      EXPECT_EQ(SumOf(all->graphs), *sum) << "another search found other traces";
    }
    Totals& of = totals[name];
    ++of.programs;
    of.results += campaign.Runs();
    of.executions += all->executions;
  }
}

void CheckPrograms(Vocabulary vocabulary, bool alike) {
  std::map<std::string, Totals> totals;
  const bool passed = EachProgram(vocabulary, 20, [&](const auto& program, uint64_t seed) {
    CheckProgram(program, seed, alike, totals);
  });
  if (!passed) return;
  for (const auto& [name, of] : totals) {
    std::printf("  %-24s %llu programs, %llu results, %llu executions that count\n", name.c_str(),
                static_cast<unsigned long long>(of.programs),
                static_cast<unsigned long long>(of.results),
                static_cast<unsigned long long>(of.executions));
  }
}

TEST(PiecesAgree, OnRandomPrograms) { CheckPrograms(Vocabulary::kRaceFree, true); }

TEST(PiecesAgree, OnProgramsWithWideAccesses) { CheckPrograms(Vocabulary::kWide, true); }

TEST(PiecesAgree, OnProgramsWithAllPrimitives) { CheckPrograms(Vocabulary::kAll, false); }

TEST(PiecesAgree, OnProgramsWithLivesAndEnds) { CheckPrograms(Vocabulary::kLives, false); }

TEST(PiecesAgree, OnProgramsWithChoices) { CheckPrograms(Vocabulary::kChoices, false); }

}  // namespace
}  // namespace heddle::agree
