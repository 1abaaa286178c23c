// The step loop: between two visible operations of a thread it is decided, here and nowhere else,
// who goes on; among several who can, by choice_point.cpp. In which set each thread is that may go
// on, schedule.cpp says.
//
// Invariants at a choice point: no local step is left; `open` holds exactly the enabled threads;
// the thread that ran last is preempted iff it is in `open`, is not about to yield, and another one
// is chosen (PLDI'07, appendix A.1). A thread in an atomic section, or done, goes on as long as it
// is enabled and does not yield, without a choice. A timeout while somebody is enabled costs as
// much as a preemption, and is counted as an early timeout. At a yield or sleep, passing the turn
// on, round robin, is free, and so is going on a few times (plan::kFreeStays); any other choice
// there is a preemption. Otherwise threads that poll could keep each other busy at no cost, for
// ever. Where a thread in an atomic section, or done, has to wait, its step ends, with a read of
// the object waited for (NoteWaitInside), and the thread is scheduled like others until it runs
// again.

#include "runtime/steps/scheduler.h"

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/enabled.h"
#include "runtime/fibers/focus.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/outside.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/arrivals.h"
#include "runtime/objects/enabled.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/states/frame_snapshot.h"
#include "runtime/states/hook_state.h"
#include "runtime/states/visiting.h"
#include "runtime/steps/checkpoint.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/no_progress.h"

namespace heddle::runtime {

namespace {

constexpr Schedule& s = g_schedule;
ThreadSets& sets = *reinterpret_cast<ThreadSets*>(TableAddress(kThreadSetsTable));

// Does the thread that ran last go on without a choice: in an atomic section, done, between two
// hooks if these are the only scheduling points, or while the rounds of its loop run out?
bool GoesOn() {
  const Fiber& last = g_fibers[s.running];
  if (!sets.open.Has(s.running)) return false;
  if (RunsOut(last)) return true;
  if (sets.yielding.Has(s.running)) return false;
  return last.done || last.atomic_depth != 0 ||
         (g_state.hooks_only && last.pending.kind != op::Kind::kHook);
}

// The step of a thread that would have gone on ends, because the operation that it stands before is
// not enabled: that much it has read off the object, as an attempt that failed.
void NoteWaitInside(const Fiber& self, Object* object) {
  if (object == nullptr || s.running != self.id || sets.open.Has(self.id)) return;
  if (!self.done && self.atomic_depth == 0) return;
  Commit({.kind = op::Kind::kHook, .object = object->address}, object, op::Access::kRead);
}

// Nothing can run, so what is blocked now stays so until time passes: for reductions, which look
// for earlier places of these operations, as at the end of an execution.
void NoteStalled() {
  TraceBuffers& t = *g_trace;
  if (ChannelHeader().settings.reduction == channel::Reduction::kNone) return;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if (g_fibers[id].state != FiberState::kPublished) continue;
    HEDDLE_CHECK(t.stalled_count < t.stalled_capacity);
    t.stalled[t.stalled_count++] = {t.step_count, id, t.pending[id]};
  }
}

// Only time can help: the thread whose time limit passes, one of those with the earliest deadline.
op::ThreadId PassTime() {
  if (s.late_count > 1) NoteEarliestBesideRounds();
  uint64_t earliest = ~uint64_t{0};
  sets.late.ForEach([&](op::ThreadId id) {
    if (g_fibers[id].deadline < earliest) earliest = g_fibers[id].deadline;
  });
  NoteStalled();
  BeginEpoch();
  sets.late.ForEach([&](op::ThreadId id) {
    if (g_fibers[id].deadline != earliest) return;
    SetLate(g_fibers[id], false);
    SetTimed(g_fibers[id], true);
  });
  op::ThreadId chosen = sets.timed.NextAfter(s.running);
  if (s.timed_count > 1)
    chosen = ChooseThread();
  else
    ForceThread(chosen);
  sets.timed.ForEach([&](op::ThreadId id) {
    if (id == chosen) return;
    SetTimed(g_fibers[id], false);
    SetLate(g_fibers[id], true);
  });
  // It passes for all.
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if (fiber.state == FiberState::kPublished && fiber.now < earliest) fiber.now = earliest;
  }
  return chosen;
}

// Who goes on now. Called with the running fiber published, finished or blocked.
Fiber& PickNext() {
  if (Fiber* ready = s.ready_first; ready != nullptr) {
    s.ready_first = ready->next_ready;
    if (s.ready_first == nullptr) s.ready_last = nullptr;
    return *ready;
  }
  uint32_t chosen;
  if (__builtin_expect(s.atomic_sections, 0) && GoesOn()) return LetGo(s.running);
  if (__builtin_expect(g_trace->event_count >= g_state.joint_from, 0)) LookForJointCycle();
  if (__builtin_expect(g_trace->step_count >= g_state.checkpoint_from, 0)) ReachCheckpoint();
  if (__builtin_expect(g_state.asks_counters, 0)) {
    if (s.open_count != 0) VisitCounters();
  } else if (__builtin_expect(g_state.takes_states, 0) &&
             s.open_count + s.timed_count + s.late_count != 0) {
    VisitState(Current());
  }
  TraceBuffers& t = *g_trace;
  trace::Step step = {
      .thread = 0, .event = t.event_count, .choice = t.choice_count, .state = t.state};
  if (s.open_count + s.timed_count > 1) {
    chosen = ChooseThread();
  } else if (s.open_count + s.timed_count == 1) {
    const FiberSet& one = s.open_count == 1 ? sets.open : sets.timed;
    chosen = one.Has(s.running) ? s.running : one.NextAfter(s.running);
    ForceThread(chosen);
  } else if (WakeJointWaiters()) {
    return PickNext();
  } else if (s.late_count != 0) {
    step.time_passes = true;
    chosen = PassTime();
  } else if (g_outside.await() || LetPollersTry() || LetTimedRoundsTry()) {
    return PickNext();
  } else {
    // deadlock or livelock: never returns
    EndWithoutProgress(s.spinning_count + TimedRoundsInVain());
  }
  step.thread = chosen;
  if (__builtin_expect(g_focuses, 0)) step.focus = g_fibers[chosen].focus & 3;
  if (__builtin_expect(g_state.takes_states, 0)) NoteStep(t.step_count, g_fibers[chosen]);
  t.steps[t.step_count++] = step;
  // A full time slice is over even if the thread stayed, although it should have let others go.
  const bool begins = chosen != s.running || s.run_length >= kTimeSlice;
  s.run_length = begins ? 0 : s.run_length + 1;
  if (chosen != s.running) ++g_trace->switches;
  s.running = chosen;
  return LetGo(chosen);
}

struct OnFocus {
  static void Arrives(Arrival& a) {
    if (__builtin_expect(!g_focuses, 1)) return;
    a.self.focus = FocusOf(a.self, a.operation);
    g_trace->pending[a.self.id].focus = a.self.focus;
  }
};

// Not earlier: copied right after it was written, field by field, it would have to wait for that.
struct OnPending {
  static void Arrives(Arrival& a) { a.self.pending = a.operation; }
};

struct OnSignal {
  static void Arrives(Arrival& a) {
    a.self.signal_late = false;
    if (__builtin_expect(g_state.signals, 0) && !a.self.timed) NoteSignalLate(a.self);
  }
};

struct OnSection {
  static void Stands(Arrival& a) {
    if (__builtin_expect(s.atomic_sections, 0) && !a.local)
      NoteWaitInside(a.self, a.self.pending_object);
  }
};

struct OnCircle {
  static void Stands(Arrival& a) {
    if (__builtin_expect(g_state.end_at_cycle && !sets.open.Has(a.self.id), 0))
      EndIfClosesCircle(a.self);
  }
};

struct OnState {
  static void Stands(Arrival& a) {
    if (__builtin_expect(!g_state.takes_states, 1)) return;
    if (g_state.states_now)
      FindStanding(a.self);
    else
      ForgetStanding(a.self);
  }
  static void GoesOn(Arrival& a) {
    if (__builtin_expect(g_state.takes_states || a.self.loops.timed_rounds != nullptr, 0))
      ClearDeadStack();
  }
};

template <typename... Who>
struct List {
  static void Arrives(Arrival&) {}
  static void Stands(Arrival&) {}
  static void GoesOn(Arrival&) {}
};

template <typename First, typename... Rest>
struct List<First, Rest...> {
  [[gnu::always_inline]] static void Arrives(Arrival& a) {
    if constexpr (requires { First::Arrives(a); }) First::Arrives(a);
    List<Rest...>::Arrives(a);
  }
  [[gnu::always_inline]] static void Stands(Arrival& a) {
    if constexpr (requires { First::Stands(a); }) First::Stands(a);
    List<Rest...>::Stands(a);
  }
  [[gnu::always_inline]] static void GoesOn(Arrival& a) {
    List<Rest...>::GoesOn(a);
    if constexpr (requires { First::GoesOn(a); }) First::GoesOn(a);
  }
};

// Who wants to hear of an arrival (fibers/arrival.h).
using Listeners = List<OnFocus, OnRunOut, OnPending, OnTimedRound, OnHeapRound, OnAwait, OnSpin,
                       OnSignal, OnSection, OnCircle, OnJointCycle, OnState>;

// It runs, with the operation that it stood before.
Wake Leave(Fiber& self, Object* attempted) {
  self.attempted = attempted;
  self.call_arguments = 0;
  return self.wake;
}

Wake Publish(const op::Operation& operation, Object* object, bool timed, bool local) {
  Fiber& self = Current();
  CheckInvariants();
  NoteFrame(self, operation.pc);
  if (!g_state.every_point && YieldsInRound(self, operation)) return Wake::kNone;
  self.timed = timed;
  self.round = 0;
  self.late = timed && LimitComesLate(self);
  if (timed) ChannelHeader().summary.time_limits = 1;
  self.local = local;
  self.wake = Wake::kNone;
  self.state = FiberState::kPublished;
  const auto detail =
      static_cast<uint8_t>(operation.detail | (timed && !self.late ? op::kTimed : 0));
  g_trace->pending[self.id] = {operation.kind, detail,
                               object != nullptr ? object->number : trace::kNoObject};
  const bool spins = !(g_state.takes_states && g_state.several_threads) || g_state.asks_counters;
  Arrival arrival = {self, operation, timed, local, spins};
  Listeners::Arrives(arrival);
  Object* const attempted = object;
  if (!op::MayWait(operation.kind))
    object = nullptr;  // it never blocks, so no change of the object matters to it
  const bool alone = !g_state.several_threads && !g_state.recording;
  if (alone && object == nullptr && !timed && !arrival.yields && !self.spinning &&
      IsEnabled(self)) {
    ++s.run_length;  // nobody else exists: goes on
    self.state = FiberState::kRunning;
    return Leave(self, attempted);
  }
  if (object != nullptr) {
    self.pending_object = object;
    self.next_pending = object->pending_threads;
    object->pending_threads = &self;
  }
  if (__builtin_expect(g_state.recording, 0)) RecordPending(operation);
  Classify(self);
  Listeners::Stands(arrival);
  Fiber& next = PickNext();
  if (&next != &self) {
    SwitchTo(self, next);
    LookIfAsked(self);
    g_state.hook_pc = kNoHook;
  }
  self.state = FiberState::kRunning;
  Listeners::GoesOn(arrival);
  return Leave(self, attempted);
}

// Its next operation waits for another thread's step, which it is known to have begun to wait for:
// it may be let go before it stands there.
bool WaitsToBeWoken(op::Kind kind) {
  return op::Info(kind).needs == op::Needs::kWoken || kind == op::Kind::kCondReacquire;
}

// Publish, for a thread that looks for signals before it goes on (world/signals.h). A look stands
// before the operation, except where another thread may let it go meanwhile.
Wake PublishBesideSignals(const op::Operation& operation, Object* object, bool timed, bool local,
                          Interrupts interrupts) {
  Fiber& self = Current();
  const bool looks = operation.kind != op::Kind::kSignalLook && self.atomic_depth == 0 &&
                     g_outside.looks_for_signals(self);
  if (!looks) return Publish(operation, object, timed, local);
  const bool woken = WaitsToBeWoken(operation.kind);
  const bool looks_first = !woken && operation.kind != op::Kind::kThreadStart;
  self.was_woken |= woken;
  const uint64_t deadline = self.deadline;
  const uint32_t wakes = self.wakes;
  const bool yielding = self.yielding;
  op::Operation next = operation;
  const auto look = [&](bool waits) {
    self.yielding = false;
    const bool interrupted = g_outside.look_for_signals(next, object, interrupts, waits);
    self.yielding = yielding;
    self.deadline = deadline;
    return interrupted;
  };
  for (bool taken = false;; taken = true) {
    if (looks_first && look(false)) return Wake::kInterrupted;
    const Wake wake = Publish(next, object, timed, local);
    if (wake != Wake::kTimedOut || !self.late || !g_outside.signal_is_pending(self)) {
      // Who opened the barrier has told only those that stood there.
      if (taken && next.kind == op::Kind::kBarrierLeave) AcquireFrom(self, object->release);
      return wake;
    }
    if (look(true)) return Wake::kInterrupted;
    if (!woken || self.wakes == wakes) continue;
    if (next.kind == op::Kind::kFutexWoken) return Wake::kSignalled;
    if (next.kind == op::Kind::kCondReacquire) {
      next.detail = kStoppedWaiting;
      timed = false;
    }
  }
}

}  // namespace

Wake Reach(const op::Operation& operation, Object* object, bool timed) {
  return ReachInCall(operation, object, timed, Interrupts::kNever);
}

Wake ReachInCall(const op::Operation& operation, Object* object, bool timed,
                 Interrupts interrupts) {
  if (__builtin_expect(g_state.signals, 0))
    return PublishBesideSignals(operation, object, timed, false, interrupts);
  return Publish(operation, object, timed, false);
}

Wake ReachLocal(const op::Operation& operation, Object* object, bool timed) {
  const bool local = !g_state.every_point;
  if (__builtin_expect(g_state.signals, 0))
    return PublishBesideSignals(operation, object, timed, local, Interrupts::kNever);
  return Publish(operation, object, timed, local);
}

void LeaveForGood() {
  Fiber& self = Current();
  Fiber& next = PickNext();
  SwitchTo(self, next);
  __builtin_unreachable();
}

}  // namespace heddle::runtime
