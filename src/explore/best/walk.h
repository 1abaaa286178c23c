// Which open branch of the execution tree is run next. The reduction decides which branches there
// are and what sleeps in them, and that does not depend on the order
// (docs/algorithms/dpor_extensions.md, "In any order").
//
// A place is a state of some execution from which branches are open; of one place the eldest branch
// comes first, because what became of it may decide what sleeps in the younger ones. So a walk
// chooses among places, and a place is named by its eldest branch.
//
// The State is plain data that outlives the process (explorer.h).
#pragma once

#include <memory>
#include <vector>

#include "explore/best/fringe.h"
#include "explore/best/ranking.h"
#include "explore/execution_tree.h"
#include "explore/explorer.h"
#include "explore/paged_array.h"

namespace heddle::explore {

class Branches {
 public:
  // May it be run now: is it still to be run, and all that it follows begun?
  virtual bool IsOpen(ExecutionTree::Id branch) const = 0;

 protected:
  ~Branches() = default;
};

class Walk {
 public:
  using Id = ExecutionTree::Id;
  struct State {
    std::vector<Id> open;  // as far as the walk keeps a list
    uint64_t random = 0;
    Fringe fringe{2 * ExecutionTree::kSpillEnd};
    PagedArray<uint64_t> ranks{3 * ExecutionTree::kSpillEnd};  // by branch
  };

  virtual ~Walk() = default;
  // Does the walk want to be told the facts of every branch?
  virtual const Ranking* Ranks() const { return nullptr; }
  // A branch was added. Before Open.
  virtual void Add(Id, const BacktrackingPoint&) {}
  // `branch` may be run now. May be told more than once.
  virtual void Open(Id branch) = 0;
  // `younger` was added to the place of which `eldest` comes first, or comes next there.
  virtual void Joins(Id, Id) {}
  // An open branch, the place of which is next; kNone: the deepest place of the execution in
  // flight, or the search is over if there is none.
  virtual Id Next(const Branches& branches) = 0;
  virtual bool Lost() const { return false; }
};

// Depth first needs no list: the deepest place is at hand.
class DepthFirstWalk final : public Walk {
 public:
  void Open(Id) override {}
  Id Next(const Branches&) override { return ExecutionTree::kNone; }
};

// Every open branch is equally likely (GAMBIT, section 4: BF(rand)).
class RandomBranchWalk final : public Walk {
 public:
  explicit RandomBranchWalk(State* state) : s_(*state) {}
  void Open(Id branch) override { s_.open.push_back(branch); }
  Id Next(const Branches& branches) override;

 private:
  State& s_;
};

// The branch that the priority functions like best is next (GAMBIT, Fig. 4: BestFirstSearch with
// FindDporBacktrackingPoints). A place is as good as the best of its branches, though its eldest
// comes first.
class RankedWalk final : public Walk {
 public:
  RankedWalk(State* state, const Options& options, Spill* spill);
  const Ranking* Ranks() const override { return &ranking_; }
  void Add(Id branch, const BacktrackingPoint& facts) override;
  void Open(Id branch) override;
  void Joins(Id eldest, Id younger) override;
  Id Next(const Branches& branches) override;
  bool Lost() const override { return s_.fringe.Lost() || s_.ranks.Lost(); }

 private:
  State& s_;
  Spill* const spill_;
  const Ranking ranking_;
  const uint64_t memory_limit_;
};

// `state` and `spill` outlive it.
std::unique_ptr<Walk> MakeWalk(Walk::State* state, const Options& options, Spill* spill);

}  // namespace heddle::explore
