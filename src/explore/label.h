// A step by name, apart from the execution that it was seen in: what a sleep set or a wakeup tree
// holds.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/execution_tree.h"
#include "op/dependence.h"
#include "plan/plan.h"

namespace heddle::explore {

using StepIndex = uint32_t;
inline constexpr StepIndex kNoStep = 0xffffffffu;

// An access, as far as dependence is concerned.
struct Touch {
  uint32_t object;
  op::Access access;

  friend bool operator==(const Touch&, const Touch&) = default;
};

struct Label {
  op::ThreadId thread = op::kNoThread;
  // Of a step that was explored: what begins with it need not be explored again.
  bool covers = true;
  bool vain = false;     // it was a vain round, so it covers nothing
  bool ends = false;     // it ends the execution, so nothing follows it
  bool unknown = false;  // what it accesses is not known: may depend on everything
  bool alone = false;    // other options of the same choice may be followed by other accesses
  bool open = false;     // more options may follow those listed
  // Of a step that was run and left for a branch elsewhere before all that follows it was explored
  // ("away"): the node of the execution tree by which to come back to it.
  ExecutionTree::Id away = ExecutionTree::kNone;
  bool IsAway() const { return away != ExecutionTree::kNone; }
  // Of a step that is to be run by somebody else (split.cpp), after those that were run by then: so
  // it covers nothing here.
  bool parted = false;
  std::vector<Touch> touches;
  std::vector<plan::ScriptOption> options;

  friend bool operator==(const Label&, const Label&) = default;
};

inline bool Depend(const Touch& a, const Touch& b) {
  return a.object == b.object && !op::Commute(a.access, b.access);
}

inline bool Depend(const Label& a, const Label& b) {
  if (a.thread == b.thread || a.unknown || b.unknown) return true;
  for (const Touch& x : a.touches)
    for (const Touch& y : b.touches)
      if (Depend(x, y)) return true;
  return false;
}

}  // namespace heddle::explore
