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
  // Was the step that the thread would make from there run, and is vain?
  bool IsVain(StepIndex node, op::ThreadId thread) const;
  // Was the step that the thread would make from there run, and ended the execution?
  bool Ended(StepIndex node, op::ThreadId thread) const;
};

}  // namespace heddle::explore
