#include "runtime/debugger.h"

#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/optimizer.h"
#include "runtime/runtime.h"

extern "C" {
[[HEDDLE_LASTS("of the one execution")]] HeddleDebugger heddle_debugger = {};

HEDDLE_OPAQUE void heddle_debugger_begin() { heddle::runtime::KeepWrites(&heddle_debugger); }
HEDDLE_OPAQUE void heddle_debugger_stop() { heddle::runtime::KeepWrites(&heddle_debugger); }
}

namespace heddle::runtime {
namespace {

void Stop(HeddleDebuggerReason reason) {
  heddle_debugger.reason = reason;
  heddle_debugger.thread = Current().id;
  ++heddle_debugger.number;
  heddle_debugger_stop();
}

bool EndsByItself(const trace::Ending& ending) {
  return ending.kind == trace::EndKind::kExit && ending.status == 0 && !ending.before_return;
}

}  // namespace

void DebuggerAtMoment(uint64_t moment) {
  if (!g_state.kernel_threads) return;
  heddle_debugger.moment = moment;
  if (heddle_debugger.stop_at == 0 || moment < heddle_debugger.stop_at) return;
  heddle_debugger.stop_at = 0;
  Stop(kHeddleMoment);
}

void DebuggerAtOperation() {
  if (!g_state.kernel_threads || heddle_debugger.leaving != Current().id + 1) return;
  heddle_debugger.leaving = 0;
  Stop(kHeddleOperation);
}

void DebuggerAtEnd() {
  const trace::Ending& ending = g_trace->ending;
  heddle_debugger.ending = EndsByItself(ending) ? 1 : 0;
  static_assert(sizeof heddle_debugger.message >= sizeof ending.message);
  CopyForward(heddle_debugger.message, ending.message, sizeof ending.message);
  Stop(kHeddleEnds);
}

}  // namespace heddle::runtime
