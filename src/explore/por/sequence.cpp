#include "explore/por/sequence.h"

#include <algorithm>

namespace heddle::explore {

using op::ThreadId;

Sequence::Sequence(const StepGraph& graph, const Reversal& reversal, std::vector<StepIndex>& taken)
    : graph_(graph),
      reversal_(reversal),
      taken_(taken),
      empty_(reversal.at_once || graph.At(reversal.j).thread == op::kNoThread) {
  taken_.assign(graph.Threads(), reversal.j + 1);
}

bool Sequence::Contains(StepIndex f) const {
  return !empty_ && f > reversal_.j && f >= taken_[graph_.At(f).thread] &&
         IsFree(graph_, reversal_, f);
}

// In each thread, the steps that happen after step j follow those that do not.
std::span<const StepIndex> Sequence::StepsOf(ThreadId thread, StepIndex end) const {
  if (empty_) return {};
  const auto steps = graph_.StepsOf(thread, taken_[thread]);
  const auto last = std::ranges::partition_point(
      steps, [&](StepIndex f) { return f < end && IsFree(graph_, reversal_, f); });
  return {steps.begin(), last};
}

StepIndex Sequence::FirstStepOf(ThreadId thread) const {
  const StepIndex f = graph_.FirstStepOf(thread, taken_[thread]);
  return f != kNoStep && Contains(f) ? f : kNoStep;
}

bool Sequence::ComesFirst(Clock clock, ThreadId thread) const {
  for (ThreadId t = 0; t < clock.size(); ++t) {
    if (t != thread && clock[t] > taken_[t] && !StepsOf(t, clock[t]).empty()) return false;
  }
  return true;
}

Sequence::Found Sequence::WeakInitial(const Label& label) const {
  const Label& last = reversal_.last;
  const StepIndex f = label.thread == op::kNoThread ? kNoStep : FirstStepOf(label.thread);
  if (f != kNoStep) {
    const bool same = SameOptions(label, graph_.OptionsOf(f), false);
    if (!same || !ComesFirst(graph_.ClockOf(f), label.thread)) return {};
    return {Match::kStep, f};
  }
  if (ContainsLast() && label.thread == last.thread) {
    const bool same = SameOptions(label, last.options, last.open);
    if (!same || !ComesFirst(reversal_.clock, last.thread)) return {};
    return {Match::kLast, kNoStep};
  }
  // Nothing can follow an end of the program. And the label is one option of its step (`alone`):
  // that this one has nothing in common with v does not tell that the others have not.
  if (label.ends || label.alone) return {};
  if (label.unknown || (ContainsLast() && Depend(label, last))) return {};
  if (FirstDependent(label) != kNoStep) return {};
  return {Match::kIndependent, kNoStep};
}

StepIndex Sequence::FirstDependent(const Label& label) const {
  StepIndex first = kNoStep;
  for (const Touch& touch : label.touches) {
    first = std::min(first, graph_.FirstDependent(touch, reversal_.j + 1,
                                                  [&](StepIndex f) { return Contains(f); }));
  }
  return first;
}

void Sequence::Take(const Label& label, const Found& found) {
  if (found.match == Match::kStep) taken_[label.thread] = found.step + 1;
  if (found.match == Match::kLast) last_taken_ = true;
}

}  // namespace heddle::explore
