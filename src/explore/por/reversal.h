// A dependent pair of steps in the other order.
#pragma once

#include <vector>

#include "explore/por/label.h"

namespace heddle::explore {

// `last` could have run before step j, after what follows j and does not happen after it.
struct Reversal {
  StepIndex j;
  Label last;
  Clock clock;                          // what happens before `last`
  StepIndex since;                      // known as long as this step is in the execution
  std::vector<StepIndex> without = {};  // later steps that have to come after `last`, too
  bool tentative = false;               // only trying tells whether `last` is enabled there
  bool at_once = false;                 // what follows j may depend on `last`: it goes first
  // There it writes what it only reads where it stands: later steps may have to come before it.
  bool grows = false;
};

// Could step f, which comes after step j, run before `last`?
inline bool IsFree(const StepGraph& graph, const Reversal& reversal, StepIndex f) {
  if (!graph.IsFree(f, reversal.j)) return false;
  for (StepIndex other : reversal.without)
    if (graph.HappensBefore(other, f)) return false;
  return true;
}

}  // namespace heddle::explore
