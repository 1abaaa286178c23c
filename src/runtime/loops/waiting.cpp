#include "runtime/loops/waiting.h"

#include <stdio.h>

#include <algorithm>
#include <span>

#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/loops/code/dead_state.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/loops/run_out.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

void NoteCallOfRound(const char* function) {
  if (function == nullptr) return;
  if (*function == '\0') return NoteIncomplete(Incomplete::kUnknownLoop);
  char detail[256];
  snprintf(detail, sizeof detail, "%%S%s%%", function);
  NoteIncomplete(Incomplete::kLoopCalls, detail);
}

void NoteIdleRounds(const op::Operation& operation) {
  char detail[64];
  snprintf(detail, sizeof detail, "%%L%lx%% was explored up to %u", operation.pc,
           ChannelHeader().settings.idle_rounds);
  NoteIncomplete(Incomplete::kIdleRounds, detail);
}

void PassStaleRound() {
  if (EndsIfVain() || LowestFirst()) EndAsRedundant();
}

void WaitInLoop(Fiber& self, SpinWindow& window, bool may_run_out) {
  if (window.cycle.met_stale) {
    // What the round wrote for a while, somebody may have read.
    const std::span accesses(window.accesses, std::min(window.count, kSpinAccesses));
    if (g_state.tells_atomics && std::ranges::any_of(accesses, &SpinAccess::written))
      NoteIncomplete(Incomplete::kReadsFromOperation);
    return PassStaleRound();
  }
  if (window.cycle.anchor != 0) {
    const OutsideExecution outside;
    const char* const here = DeadAt(window.cycle.anchor, kNoFrame).calls;
    NoteCallOfRound(CallOutsideLoop(self, here, window.cycle.state));
  }
  ReduceNoMore();  // within a bound: its turn is given away for nothing (por/bounded_dpor.h)
  if (may_run_out) {
    NoteIncomplete(Incomplete::kRunOutTable);
    if (g_state.tells_atomics) NoteIncomplete(Incomplete::kReadsFromOperation);
    WaitToRunOut(self, &window);
  }
  self.spinning = true;
  self.spins_in = &window;
  for (uint32_t i = 0; i < window.count; ++i) ++window.accesses[i].object->spinners;
  SetSpinning(self, true);
}

void WaitForChange(Fiber& self, SpinWindow& window, Object& object) {
  if (window.accesses == nullptr)
    window.accesses = static_cast<SpinAccess*>(g_state.bump.Take(sizeof(SpinAccess)));
  window.accesses[0] = {&object, object.version, object.uses, false};
  window.count = 1;
  WaitInLoop(self, window, false);
}

}  // namespace heddle::runtime
