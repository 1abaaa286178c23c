// How an execution ended, as reductions see it.
#pragma once

#include "trace/execution.h"

namespace heddle::explore {

// By the plan: everybody who could go on was asleep, or a step was not open.
inline bool WasCutShort(const trace::Ending& ending) {
  return ending.kind == trace::EndKind::kRedundant && ending.status == trace::kCutByPlan;
}

// Does it count as an execution? Not one that was cut short, or that the program dropped
// (heddle_assume).
inline bool Counts(const trace::Ending& ending) {
  return ending.kind != trace::EndKind::kRedundant;
}

// With an operation that ends the program.
inline bool EndedByOperation(const trace::Execution& execution) {
  if (WasCutShort(execution.ending) || execution.events.empty()) return false;
  const trace::Event& last = execution.events.back();
  return last.kind == op::Kind::kProgramExit && last.access == op::Access::kWrite;
}

// May the operation that a blocked thread stands before be looked for in earlier places?
inline bool IsBlockedByObject(const trace::Pending& pending) {
  const op::KindInfo& info = op::Info(pending.kind);
  if (!op::MayWait(pending.kind) || info.needs == op::Needs::kWoken) return false;
  if ((pending.detail & op::kTimed) != 0) return false;  // not blocked
  // Of a wait for a condition variable that nobody has signalled, `detail` is 0.
  return pending.kind != op::Kind::kCondReacquire || (pending.detail & ~op::kWaitEnds) != 0;
}

// The thread that ended the execution; kNoThread if all ended by themselves or are blocked.
op::ThreadId EnderOf(const trace::Execution& execution);

}  // namespace heddle::explore
