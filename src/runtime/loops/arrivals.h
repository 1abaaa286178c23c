// What loops have to do with an arrival (fibers/arrival.h).
#pragma once

#include "runtime/fibers/arrival.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/await.h"
#include "runtime/loops/heap_rounds.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/loops/run_out.h"
#include "runtime/loops/spin.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// A thread that has made this many events in a row lets others go first, as at a yield: otherwise a
// loop that waits for another thread in a way that spin.h cannot see would be called a hang
// although only the schedule is unfair.
inline constexpr uint32_t kTimeSlice = 10'000;

struct OnRunOut {
  static void Arrives(Arrival& a) {
    a.runs_out = RunsOut(a.self) && StillRunsOut(a.self, a.operation);
  }
};

struct OnTimedRound {
  static void Arrives(Arrival& a) {
    a.in_vain = a.timed && a.spins && a.self.loops.timed_rounds != nullptr && ReturnsInVain(a.self);
    if (!a.in_vain) return;
    a.self.timed = a.self.late = false;
    g_trace->pending[a.self.id].detail &= static_cast<uint8_t>(~op::kTimed);
  }
  static void Stands(Arrival& a) {
    if (__builtin_expect(a.self.loops.timed_rounds == nullptr, 1)) return;
    if (const uint64_t others = LetInByRound(a.self); others != 0) LetThemGoFirst(others);
  }
  static void GoesOn(Arrival& a) {
    if (!a.timed) return;
    a.self.limit_passed = a.self.wake == Wake::kTimedOut && !a.self.signal_late;
    if (a.self.limit_passed && a.spins)
      BeginTimedRound(a.self);
    else if (a.self.loops.timed_rounds != nullptr)
      EndTimedWait(a.self);
  }
};

struct OnHeapRound {
  static void Arrives(Arrival& a) {
    if (a.self.loops.heap_rounds != nullptr && !a.local) ComeRound(a.self, a.operation);
  }
};

struct OnAwait {
  static void Arrives(Arrival& a) {
    a.awaits = g_state.awaits && !a.runs_out && StandsAtAwait(a.self, a.operation);
    a.yields = RoundYielded(a.self) || (a.awaits && MakesLastLook(a.self));
  }
  static void GoesOn(Arrival& a) {
    if (a.awaits) BeginAwaitRound(a.self, a.operation);
  }
};

struct OnSpin {
  static void Arrives(Arrival& a) {
    Fiber& self = a.self;
    const bool looks = !a.local && !a.runs_out && a.spins && !a.in_vain;
    a.yields = looks && ((!self.spinning && CheckSpinning(self, a.operation)) || a.yields ||
                         RanOutYielding(self) || g_schedule.run_length >= kTimeSlice);
    if (a.yields) self.yielding = true;
    if (__builtin_expect(self.round, 0)) g_trace->pending[self.id].detail |= self.round;
    if (!self.may_run_out) return;
    self.timed = true;
    self.deadline = self.now;
    g_trace->pending[self.id].detail |= op::kTimed;
  }
  static void GoesOn(Arrival& a) {
    if (__builtin_expect(a.self.spinning, 0)) {
      --g_schedule.spinning_count;
      WaitTimedOut(a.self);
    }
    if (a.yields) a.self.yielding = false;
  }
};

struct OnJointCycle {
  static void Stands(Arrival& a) {
    if (__builtin_expect(g_trace->event_count >= g_state.joint_from, 0)) NoteStands(a.self);
  }
};

}  // namespace heddle::runtime
