// What the older reductions share: from every node they explore a set of threads, and know nothing
// about what should follow. What is explored elsewhere is kept out by the sleep sets alone, so an
// execution may turn out to be redundant on the way, and is cut short.
#pragma once

#include "explore/por/reduction.h"

namespace heddle::explore {

class ThreadSets : public Reduction {
 public:
  using Reduction::Reduction;

 protected:
  // Has the thread been chosen at the node, now or earlier, or is it to be, or does it sleep there?
  bool IsTaken(StepIndex node, op::ThreadId thread) const;
  // Was the step that the thread would make from there run, and is vain?
  bool IsVain(StepIndex node, op::ThreadId thread) const;
  // Was the step that the thread would make from there run, and ended the execution?
  bool Ended(StepIndex node, op::ThreadId thread) const;
  // Adds a thread that is not taken to what is to be explored from the node.
  void Add(StepIndex node, op::ThreadId thread, bool tentative = false);
  // Is the reversal another option of step j itself? Then it is added, to be explored next: all
  // options of a thread are explored before another thread, so they sleep together.
  bool AddOption(const Reversal& reversal);
};

}  // namespace heddle::explore
