// Iterative context bounding: Musuvathi and Qadeer, PLDI'07, Algorithm 1. Every execution with c
// preemptions (early timeouts count among them here) runs before any with c + 1, so the first bug
// found needs the fewest preemptions, and whenever the search stops it can say up to which number
// of preemptions the program has been checked.
//
// The paper's work item is a state and a thread to run next. A stateless checker has no states, so
// ours is an open option of an execution (enumeration.h). Those that keep within the bound are free
// and go on the stack; those that cost one more are kept in a queue. What one execution adds to
// nextWorkQueue is written down together, as one record: its node, and then, for each choice point
// of its own, the set of threads that would cost a preemption there, equal sets run-length coded.
// The items are taken out of the record when its turn comes.
//
//   record := node  { gap length set_words word*set_words }*
//
// with all numbers as varints, and gaps counted from the execution's first own choice point, and
// then from behind the run before.
//
// The queue is first in first out, so one queue serves as both workQueue and nextWorkQueue: a count
// tells how many of its records belong to the current bound.
//
// With a bound of depth that iterates, this is iterative deepening in steps of N, the idfs that the
// paper compares with (section 4): all executions that leave the default only in their first N
// choices of threads, then those of 2N, and so on. Options within the present depth are on the
// stack, those beyond are items. An item may lie several steps beyond: the depth of a run's first
// choice point is then part of the record, behind its length, and what is left of a record when
// its items begin to lie too deep goes back to the end of the queue.
#pragma once

#include <vector>

#include "explore/enumerate/enumeration.h"
#include "explore/enumerate/work_queue.h"
#include "explore/spill.h"

namespace heddle::explore {

class ContextBounded final : public Enumeration {
 public:
  // The record whose items are being searched.
  struct OpenRecord {
    std::vector<uint8_t> bytes;
    ExecutionTree::Id execution = ExecutionTree::kNone;
    size_t read = 0;             // offset of the next run in `bytes`
    std::vector<uint64_t> set;   // of the present run
    std::vector<uint64_t> left;  // items at the present choice point not yet taken
    uint32_t choice = 0;         // present choice point
    uint32_t length = 0;         // choice points left in the present run, this one included
    uint32_t depth = 0;          // by depth: choices of threads before the present one
  };

  struct State {
    Enumeration::State enumeration;  // its stack: without further preemptions below the work item
    WorkQueue queue{ExecutionTree::kSpillEnd};
    OpenRecord record;
    std::vector<uint8_t> packed;    // scratch of Learn
    uint64_t records_in_bound = 0;  // at the front of the queue, that belong to the current bound
    uint32_t bound = 0;             // currBound; by depth: how many are through
    uint32_t lost_bound = kUnbounded;  // the first in which items were lost
  };

  // `spill` may be null: then tree and queue stay in memory.
  ContextBounded(State* state, const Options& options, Spill* spill = nullptr)
      : Enumeration(state->enumeration, options, spill), state_(state), spill_(spill) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  // With one that costs what is being searched now: those who take it go on with that cost. When
  // there is none and the gate is open, the next bound is searched now.
  std::optional<Branch> Split() override;
  bool Take(const Branch& branch) override;
  bool TakesMore() const override { return true; }
  bool AwaitsBound() const override;
  bool RaiseBound() override;
  int64_t CurrentBound() const override { return Most(); }
  int64_t CompletedBound() const override;
  bool Complete() const override { return Enumeration::Complete() && !state_->queue.Lost(); }
  std::optional<claim::Incomplete> Gap() const override;

 private:
  std::optional<plan::Plan> NextInBound();
  void OpenNextRecord();
  std::optional<OpenOption> NextItem();
  bool NextRun();
  void Postpone();
  bool PackItems(const trace::Execution& execution);

  bool ByDepth() const { return options_.bound.unit == space::Unit::kDepth; }
  // What the executions that run now may cost.
  uint32_t Most() const { return ByDepth() ? DepthOf(state_->bound) : state_->bound; }
  uint32_t DepthOf(uint32_t bound) const;

  State* const state_;
  Spill* const spill_;
};

}  // namespace heddle::explore
