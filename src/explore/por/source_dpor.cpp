#include "explore/por/source_dpor.h"

#include <algorithm>

namespace heddle::explore {

using op::ThreadId;

Reduction::Answer SourceDpor::Consider(const Reversal& reversal) {
  if (AddOption(reversal)) return Answer::kSettled;  // S1
  const StepIndex j = reversal.j;
  const Sequence v(s_.graph, reversal, taken_);  // S2
  // Does the answer that rests on initial step f stay the same however the execution continues? Not
  // if v may get other steps before its last, nor if f, which comes after step `since`, may take
  // another option that is followed by other accesses: then it may be no initial.
  const auto answer = [&](StepIndex f) {
    const bool fixed = f == kNoStep || f <= reversal.since || !s_.graph.IsOption(f);
    return fixed && !reversal.grows ? Answer::kSettled : Answer::kAsLong;
  };
  // S3: the initials of v. One of them is explored, or will be, or sleeps?
  ThreadId initial = op::kNoThread;
  Answer if_added = answer(kNoStep);
  StepIndex earliest = kNoStep;
  for (ThreadId t = 0; t < s_.graph.Threads(); ++t) {
    const StepIndex f = v.FirstStepOf(t);
    const bool is_last = f == kNoStep && t == reversal.last.thread;
    if (f == kNoStep && !is_last) continue;
    if (!v.ComesFirst(is_last ? reversal.clock : s_.graph.ClockOf(f), t)) continue;
    if (Ended(j, t)) continue;
    if (!is_last && IsVain(j, t)) continue;
    if (IsTaken(j, t)) return answer(f);
    if (is_last || (initial != reversal.last.thread && f < earliest)) {
      initial = t;
      earliest = is_last ? 0 : f;
      if_added = answer(f);
    }
  }
  if (initial != op::kNoThread) Add(j, initial, reversal.tentative);  // S4
  return if_added;
}

}  // namespace heddle::explore
