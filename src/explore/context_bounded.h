// Iterative context bounding: Musuvathi and Qadeer, PLDI'07, Algorithm 1. Every execution with c
// preemptions (early timeouts count among them here) runs before any with c + 1, so the first bug
// found needs the fewest preemptions, and whenever the search stops it can say up to which number
// of preemptions the program has been checked.
//
// The paper's work item is a state and a thread to run next. A stateless checker has no states, so
// ours is the schedule that leads there; and since a schedule is a few deviations from the default
// (plan/plan.h), it stays small however long the execution. Moreover the items that one execution
// adds to nextWorkQueue are written down together, as one record: the deviations of the execution
// once, and then, for each choice point of its own, the set of threads that would cost a preemption
// there, equal sets run-length coded. The items are taken out of the record when its turn comes.
//
//   record := count { gap option }*count  { gap length set_words word*set_words }*
//
// with all numbers as varints, and gaps counted from behind the choice point before.
//
// The queue is first in first out, so one queue serves as both workQueue and nextWorkQueue: a count
// tells how many of its records belong to the current bound.
//
// Invariant: an execution's own choice points are those after its last deviation; every (execution,
// own choice point, other option) is taken exactly once, a free option by the stack, a costly one
// by the queue. So no execution runs twice.
#pragma once

#include <vector>

#include "explore/choice_stack.h"
#include "explore/explorer.h"
#include "explore/spill.h"
#include "explore/work_queue.h"

namespace heddle::explore {

class ContextBounded final : public Explorer {
 public:
  // The record whose items are being searched.
  struct OpenRecord {
    std::vector<uint8_t> bytes;
    std::vector<plan::Deviation> deviations;
    size_t read = 0;             // offset of the next run in `bytes`
    std::vector<uint64_t> set;   // of the present run
    std::vector<uint64_t> left;  // items at the present choice point not yet taken
    uint32_t choice = 0;         // present choice point
    uint32_t length = 0;         // choice points left in the present run, this one included
  };

  struct State {
    ChoiceStack stack;  // the search without further preemptions below the present work item
    WorkQueue queue;
    OpenRecord record;
    std::vector<uint8_t> packed;        // scratch of Learn
    std::vector<plan::Deviation> item;  // scratch of NextPlan
    uint64_t records_in_bound = 0;  // at the front of the queue, that belong to the current bound
    uint32_t bound = 0;             // currBound
    uint32_t lost_bound = kUnbounded;  // the first in which the queue lost items
    bool started = false;
    bool exhausted = false;
    bool cut = false;  // the last bound asked for left out something
  };

  // `spill` may be null: then the queue stays in memory.
  ContextBounded(State* state, const Options& options, Spill* spill = nullptr)
      : state_(state), options_(options), spill_(spill) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  int64_t CurrentBound() const override { return state_->bound; }
  int64_t CompletedBound() const override;
  bool Complete() const override {
    return state_->exhausted && !state_->cut && !state_->queue.Lost();
  }
  const char* Weakness() const override;

 private:
  bool NextItem();
  bool NextRun();
  bool PackItems(const trace::Execution& execution);

  State* const state_;
  const Options options_;
  Spill* const spill_;
};

}  // namespace heddle::explore
