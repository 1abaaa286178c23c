#include "explore/order/ends.h"

namespace heddle::explore {

using op::Kind;
using op::ThreadId;

namespace {

// Was there nobody but `ender` at the end? Then the program is over, and nobody was kept from
// anything.
bool IsAlone(const trace::Execution& execution, ThreadId ender) {
  for (ThreadId thread = 0; thread < execution.threads; ++thread) {
    const trace::Pending& pending = execution.pending[thread];
    const bool outside = pending.kind == Kind::kThreadStart || pending.kind == Kind::kThreadExit;
    if (thread != ender && (!outside || pending.object != trace::kNoObject)) return false;
  }
  return true;
}

}  // namespace

ThreadId EnderOf(const trace::Execution& execution) {
  if (EndedByOperation(execution)) return execution.events.back().thread;
  const trace::EndKind kind = execution.ending.kind;
  const bool nobody_left =
      kind == trace::EndKind::kLivelock || kind == trace::EndKind::kGoesOn ||
      (kind == trace::EndKind::kDeadlock && execution.ending.status != trace::kOthersCouldGoOn);
  if (nobody_left || WasCutShort(execution.ending)) return op::kNoThread;
  const ThreadId ender = execution.ending.thread != op::kNoThread ? execution.ending.thread
                                                                  : execution.steps.back().thread;
  if (ender == op::kNoThread) return ender;
  if (kind != trace::EndKind::kExit) return ender;
  const bool ended = execution.pending[ender].kind == Kind::kThreadExit;
  return ended || IsAlone(execution, ender) ? op::kNoThread : ender;
}

}  // namespace heddle::explore
