// Best-first search of all executions, or of those within a bound: whichever the priority functions
// like best is next.
//
// Source: GAMBIT (PPoPP'10), Fig. 4, BestFirstSearch (lines 1-16) and FindBacktrackingPoints (lines
// 17-26). A node of the execution tree is an execution (execution_tree.h); when it was run, every
// other option at a choice point of its own becomes a backtracking point, which goes into the
// fringe with its priority (priority.h). It explores the same executions as the depth-first search,
// each once, in another order (enumeration.h): with all priorities equal, in the same.
//
// Our difference: a backtracking point becomes a node when it is run, so a point in the fringe
// takes 12 bytes and its execution's node stays held by it, where the paper has a node of 16 bytes
// in the tree and a reference to it in the fringe. Fig. 4's other routine,
// FindDporBacktrackingPoints, is any reduction with its branches in this order (RankedWalk in
// walk.h).
#pragma once

#include "explore/best/backtracking.h"
#include "explore/best/fringe.h"
#include "explore/best/ranking.h"
#include "explore/enumerate/enumeration.h"

namespace heddle::explore {

class BestFirst final : public Enumeration {
 public:
  struct State {
    Enumeration::State enumeration;  // its stack stays empty
    Fringe fringe{ExecutionTree::kSpillEnd};
    uint64_t peak = 0;  // of Nodes()
  };

  // `spill` may be null: then tree and fringe stay in memory.
  BestFirst(State* state, const Options& options, Spill* spill = nullptr)
      : Enumeration(state->enumeration, options, spill),
        state_(state),
        spill_(spill),
        ranking_(options.priorities, options.seed) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  std::optional<Branch> Split() override;
  // The paper's nodes: of the tree, and the points of the fringe, which are none here.
  uint64_t Nodes() const override { return Enumeration::Nodes() + state_->fringe.Count(); }
  uint64_t PeakNodes() const override { return state_->peak; }
  int64_t CompletedBound() const override;
  bool Complete() const override { return Enumeration::Complete() && !state_->fringe.Lost(); }
  std::optional<claim::Incomplete> Gap() const override;

 private:
  // Lines 17-26 and 42-45 of Fig. 4.
  void FindBacktrackingPoints(const trace::Execution& execution);
  void AddBacktrackingPoints(const trace::Execution& execution, uint32_t index, uint32_t cost);
  void AddBacktrackingPoint(uint32_t choice, uint32_t option, BacktrackingPoint facts);

  State* const state_;
  Spill* const spill_;
  const Ranking ranking_;
  Backtracking backtracking_;         // of the execution that Learn is told
  std::vector<op::ThreadId> others_;  // scratch
};

}  // namespace heddle::explore
