// The open options that a depth-first search without a reduction goes on with: of the execution in
// flight and of those that it was made from, the choice points at which another option is still to
// be tried. A stack instead of recursion, so its depth is bounded by memory only.
//
// One frame for every such choice point. The deepest frame is the top, because an execution's own
// choice points lie after those of the execution that it was made from (enumeration.h). Taking an
// option is the next branch; the runtime then takes defaults, so the options taken first are the
// defaults, and only what lies beyond the branch is ever looked at.
//
// Order of options at one point: the default, then the others ascending.
// Plain data: part of a State that outlives the process (explorer.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/execution_tree.h"
#include "space/space.h"
#include "trace/execution.h"

namespace heddle::explore {

// Another option at a choice point of an execution that was run.
struct OpenOption {
  ExecutionTree::Id execution = ExecutionTree::kNone;
  uint32_t choice = 0;
  uint32_t option = 0;
  bool last = false;  // nothing else of that execution is kept where this one was

  friend bool operator==(const OpenOption&, const OpenOption&) = default;
};

class ChoiceStack {
 public:
  struct Extension {
    bool any = false;  // an option was taken up
    bool all = true;   // none was left out
  };

  // Takes up the options that `execution`, which is node `id` and deviates last at the choice point
  // `deviation`, left open at its own choice points (own_options.h): those that keep its cost
  // within `bound.most`.
  Extension Extend(ExecutionTree::Id id, const trace::Execution& execution, uint32_t deviation,
                   space::Bound bound);

  // The next option, which is no longer kept then; nothing when there is none.
  std::optional<OpenOption> Take();
  // Likewise one that is taken last otherwise, or among the last. In time linear in the stack.
  std::optional<OpenOption> TakeEldest();

 private:
  struct Frame {
    ExecutionTree::Id execution;
    uint32_t choice;
    uint32_t set_words;  // threads: width of the set of untried options; 0: a range of numbers
    uint32_t next;       // threads: where the set begins in words_; else the next option
    uint32_t end;        // one past the last option; threads: trace::kLeavesWaiting with each, or 0
  };

  bool ExtendByThreads(ExecutionTree::Id id, const trace::Execution& execution, uint32_t index,
                       space::Unit unit, bool costly);
  uint32_t TakeFrom(Frame& frame, bool* last);

  std::vector<Frame> frames_;
  std::vector<uint64_t> words_;  // sets of untried threads, in the order of the frames; with gaps
                                 // where the eldest were taken
};

}  // namespace heddle::explore
