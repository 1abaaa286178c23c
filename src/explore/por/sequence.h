// The steps that a reversal would run from the state before step j: v of the optimal DPOR paper,
// all that follows j and does not happen after it, and then the reversal's last operation; less
// what was taken from its front. It is never built: what is in it is read off the graph.
#pragma once

#include <span>
#include <vector>

#include "explore/por/reversal.h"

namespace heddle::explore {

class Sequence {
 public:
  // How a label can begin the sequence.
  enum class Match {
    kNo,
    kStep,         // it is that step
    kLast,         // it is the last operation
    kIndependent,  // it is not in it, and depends on nothing in it
  };
  struct Found {
    Match match = Match::kNo;
    StepIndex step = kNoStep;
  };

  // `taken` is scratch memory.
  Sequence(const StepGraph& graph, const Reversal& reversal, std::vector<StepIndex>& taken);

  bool Contains(StepIndex f) const;
  bool ContainsLast() const { return !last_taken_; }
  // Its steps of `thread` below `end`, in order.
  std::span<const StepIndex> StepsOf(op::ThreadId thread, StepIndex end) const;
  // Its first step of `thread`; kNoStep.
  StepIndex FirstStepOf(op::ThreadId thread) const;

  // Does nothing in it happen before what has `clock`, which is the first step of `thread` in it?
  bool ComesFirst(Clock clock, op::ThreadId thread) const;
  // Is `label` a weak initial: could it be run first, and the sequence after it?
  Found WeakInitial(const Label& label) const;
  // Its first step that `label` depends on; kNoStep.
  StepIndex FirstDependent(const Label& label) const;

  // Takes `label` off the front. REQUIRES: WeakInitial answered `found`.
  void Take(const Label& label, const Found& found);

  const Reversal& Of() const { return reversal_; }

 private:
  const StepGraph& graph_;
  const Reversal& reversal_;
  std::vector<StepIndex>& taken_;  // by thread: steps below are not in it
  const bool empty_;               // but for the last operation
  bool last_taken_ = false;
};

}  // namespace heddle::explore
