// Which open branch of the execution tree is run next. The reduction decides which branches there
// are and what sleeps in them, and that does not depend on the order (docs/algorithms/dpor.md, "In
// any order").
//
// A place is a state of some execution from which branches are open; of one place the eldest branch
// comes first, because what became of it may decide what sleeps in the younger ones. So a walk
// chooses among places, and a place is named by its eldest branch.
//
// The State is plain data that outlives the process (explorer.h).
#pragma once

#include <vector>

#include "explore/execution_tree.h"

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
  };

  virtual ~Walk() = default;
  // `branch` may be run now. May be told more than once.
  virtual void Open(Id branch) = 0;
  // An open branch, the place of which is next; kNone: the deepest place of the execution in
  // flight, or the search is over if there is none.
  virtual Id Next(const Branches& branches) = 0;
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

}  // namespace heddle::explore
