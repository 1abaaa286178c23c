// A dependent pair of steps in the other order.
#pragma once

#include <vector>

#include "explore/order/step_label.h"

namespace heddle::explore {

// `last` could have run before step j, after what follows j and does not happen after it.
struct Reversal {
  StepIndex j;
  Label last;
  Clock clock;                          // what happens before `last`
  StepIndex since;                      // discard when this step is backtracked
  std::vector<StepIndex> without = {};  // steps after j that have to come after `last`, too
  bool tentative = false;               // only trying tells whether `last` is enabled there
  bool at_once = false;                 // what follows j may depend on `last`: v is `last` alone
  // Before step j `last` may do more than where it stands: a compare-exchange that failed may write
  // there, an atomic section that had to wait may go on. So any later step may have to come before
  // it, also one that the execution has not made yet: asked for again at the end of each execution.
  bool grows = false;
};

// Could step f, which comes after step j, run before `last`?
inline bool IsFree(const StepGraph& graph, const Reversal& reversal, StepIndex f) {
  return graph.IsFree(f, reversal.j) && !graph.HappensAfterAny(reversal.without, f);
}

}  // namespace heddle::explore
