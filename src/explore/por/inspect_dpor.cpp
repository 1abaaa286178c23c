#include "explore/por/inspect_dpor.h"

namespace heddle::explore {

using op::ThreadId;

Reduction::Answer InspectDpor::Consider(const Reversal& reversal) {
  const StepIndex j = reversal.j;
  const ThreadId p = reversal.last.thread;
  if (s_.graph.At(j).thread == p) return SourceDpor::Consider(reversal);  // I1
  if (OpenAt(j).Has(p)) {
    Add(j, p, reversal.tentative);  // I3
  } else if (const ThreadId q = FirstBefore(reversal); q != op::kNoThread) {
    Add(j, q);  // I4
  } else {
    for (ThreadId t = 0; t < s_.graph.Threads(); ++t) {  // I5: E is empty
      if (OpenAt(j).Has(t)) Add(j, t, false, Asked::kConservatively);
    }
  }
  return SourceDpor::Consider(reversal);  // I6
}

// I2: a thread open before step j that makes a step after it which comes before the last operation.
ThreadId InspectDpor::FirstBefore(const Reversal& reversal) const {
  for (ThreadId q = 0; q < reversal.clock.size(); ++q) {
    const StepIndex first = s_.graph.FirstStepOf(q, reversal.j + 1);
    const bool before = first != kNoStep && reversal.clock[q] > first;
    if (before && OpenAt(reversal.j).Has(q)) return q;
  }
  return op::kNoThread;
}

}  // namespace heddle::explore
