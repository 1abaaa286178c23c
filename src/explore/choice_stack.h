// The choice points of the current execution that still have options to try: the stack of a
// depth-first search without recursion, so its depth is bounded by memory only.
//
// An execution is its deviations from the default (plan/plan.h). The stack keeps the deviations of
// the execution in flight and, for every choice point after the last of them that has untried
// options, one frame. Going back means cutting the deviations to those before the deepest frame and
// appending one more; the runtime then takes defaults, so the options taken first are the defaults,
// and only what lies beyond the backtrack point is ever looked at.
//
// Order of options at one point: the default, then the others ascending.
// Plain data: part of a State that outlives the process (explorer.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

class ChoiceStack {
 public:
  // Forgets everything; the next execution to run is the one given by `deviations`, which need not
  // be kept.
  void Start(std::span<const plan::Deviation> deviations);

  // The execution in flight. Valid until the next call of Start or Advance.
  std::span<const plan::Deviation> Deviations() const { return deviations_; }

  // Index of the first choice point after the last deviation: what lies before has been seen
  // earlier.
  uint32_t FirstNew() const { return deviations_.empty() ? 0 : deviations_.back().choice + 1; }

  // Takes up the untried options of `execution`, which ran under Deviations(): those that keep the
  // number of preemptions within `bound`. ENSURES: the answer is true if the bound left out none.
  bool Extend(const trace::Execution& execution, uint32_t bound);

  // Moves on to the next execution; false when there is none.
  bool Advance();

 private:
  struct Frame {
    uint32_t choice;
    uint32_t deviations;  // how many stand before this choice point
    uint32_t set_words;   // threads: width of the set of untried options; 0: a range of numbers
    uint32_t next;        // threads: where the set begins in words_; else the next option
    uint32_t end;         // one past the last option
  };

  bool ExtendByThreads(const trace::Execution& execution, uint32_t index, bool costly);
  uint32_t TakeThread(const Frame& frame, bool* last);

  std::vector<plan::Deviation> deviations_;
  std::vector<Frame> frames_;
  std::vector<uint64_t> words_;  // sets of untried threads, in the order of the frames
};

}  // namespace heddle::explore
