#include "explore/por/thread_sets.h"

namespace heddle::explore {

using op::ThreadId;

bool ThreadSets::IsVain(StepIndex node, ThreadId thread) const {
  return AnyBegun(node, [&](const Label& label) { return label.vain && label.thread == thread; });
}

bool ThreadSets::Ended(StepIndex node, ThreadId thread) const {
  return AnyBegun(node, [&](const Label& label) { return label.ends && label.thread == thread; });
}

}  // namespace heddle::explore
