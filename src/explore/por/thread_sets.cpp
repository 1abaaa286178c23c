#include "explore/por/thread_sets.h"

#include <algorithm>
#include <utility>

namespace heddle::explore {

using op::ThreadId;

bool ThreadSets::IsTaken(StepIndex node, ThreadId thread) const {
  if (s_.graph.At(node).thread == thread) return true;
  const auto its = [&](const Label& label) {
    return label.thread == thread && (label.covers || label.ends || label.vain);
  };
  if (AnyBegun(node, its)) return true;
  for (uint32_t index : SleepAt(node)) {
    if (its(s_.done[index]) && s_.done[index].options.empty()) return true;
  }
  for (auto id = s_.nodes[node].tree; id != WakeupTrees::kNone; id = s_.trees.Next(id)) {
    if (its(s_.trees.LabelOf(id))) return true;
  }
  return false;
}

bool ThreadSets::IsVain(StepIndex node, ThreadId thread) const {
  return AnyBegun(node, [&](const Label& label) { return label.vain && label.thread == thread; });
}

bool ThreadSets::Ended(StepIndex node, ThreadId thread) const {
  return AnyBegun(node, [&](const Label& label) { return label.ends && label.thread == thread; });
}

void ThreadSets::Add(StepIndex node, ThreadId thread, bool tentative) {
  if (IsTaken(node, thread)) return;
  Label label;
  label.thread = thread;
  label.open = true;
  const auto id = AppendAt(node, label);
  s_.trees.SetCoversMore(id);
  if (tentative) s_.trees.SetTentative(id);
}

bool ThreadSets::AddOption(const Reversal& reversal) {
  if (s_.graph.At(reversal.j).thread != reversal.last.thread) return false;
  const auto same = [&](const Label& label) {
    return label.thread == reversal.last.thread &&
           SameOptions(label, reversal.last.options, reversal.last.open);
  };
  for (auto id = s_.nodes[reversal.j].tree; id != WakeupTrees::kNone; id = s_.trees.Next(id)) {
    if (same(s_.trees.LabelOf(id))) return true;
  }
  if (!AnyBegun(reversal.j, same)) {
    s_.trees.SetCoversMore(PrependAt(reversal.j, reversal.last));
  }
  return true;
}

}  // namespace heddle::explore
