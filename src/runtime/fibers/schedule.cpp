// Who may go on: every thread's set, kept as operations and objects change.
//
// Every thread that is not finished stands before its next visible operation (kPublished), and is
// in one of
//   open   its operation is enabled
//   timed  it is not, but the operation has a time limit, and time may pass
//   late   the same, but time may pass only when no thread is open or timed (--timeouts last); then
//          those with the earliest deadline become timed for one choice, and the step that follows
//          depends on everything (docs/algorithms/dpor_extensions.md)
//   neither: blocked, or spinning on locations that nobody has written (await semantics, spin.h)
// or has a local step to do (it was just created, or the thread it joins has finished): local steps
// commute with everything, so they run at once, before any choice, and are neither choices nor
// preemptions.
#include "runtime/fibers/schedule.h"

#include "base/check.h"
#include "runtime/fibers/enabled.h"
#include "runtime/fibers/outside.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/enabled.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

[[HEDDLE_OF_EXECUTION]] State g_state;
[[HEDDLE_OF_EXECUTION]] Schedule g_schedule;
[[HEDDLE_LASTS("set once")]] Outside g_outside;

namespace {

constexpr Schedule& s = g_schedule;
ThreadSets& sets = *reinterpret_cast<ThreadSets*>(TableAddress(kThreadSetsTable));

void UnlinkPending(Fiber& fiber) {
  Object* object = fiber.pending_object;
  if (object == nullptr) return;
  Fiber** link = &object->pending_threads;
  while (*link != &fiber) link = &(*link)->next_pending;
  *link = fiber.next_pending;
  fiber.pending_object = nullptr;
}

// Puts the thread into the set, or takes it out. False: it was there, or was not, already.
bool SetMember(FiberSet& set, uint32_t& count, op::ThreadId thread, bool member) {
  if (set.Has(thread) == member) return false;
  if (member) {
    set.Add(thread);
    ++count;
  } else {
    set.Remove(thread);
    --count;
  }
  return true;
}

void SetOpen(Fiber& fiber, bool open) {
  if (!SetMember(sets.open, s.open_count, fiber.id, open)) return;
  if (!open)
    sets.yielding.Remove(fiber.id);
  else if (fiber.yielding)
    sets.yielding.Add(fiber.id);
}

void NoteLetGo(const Fiber& fiber, bool timeout_lost) {
  TraceBuffers& t = *g_trace;
  HEDDLE_CHECK(t.let_go_count < t.let_go_capacity);
  t.let_go[t.let_go_count++] = {fiber.id, t.event_count, timeout_lost};
}

// It waits for another thread's step, which may come before its time is up; not only for the state
// of an object, whose changes order its operation anyway.
bool MayBeWoken(const Fiber& fiber) {
  return op::Info(fiber.pending.kind).needs == op::Needs::kWoken ||
         fiber.pending.kind == op::Kind::kCondReacquire || fiber.may_run_out;
}

template <typename Visit>
void ForEachSet(Visit visit) {
  for (FiberSet* set : {&sets.open, &sets.timed, &sets.late, &sets.yielding, &sets.avoided})
    visit(*set);
}

}  // namespace

void SetTimed(Fiber& fiber, bool timed) { SetMember(sets.timed, s.timed_count, fiber.id, timed); }
void SetLate(Fiber& fiber, bool late) { SetMember(sets.late, s.late_count, fiber.id, late); }

void Classify(Fiber& fiber) {
  const bool was_timed = s.timed_count != 0 && sets.timed.Has(fiber.id);
  if (!fiber.spinning && (!op::MayWait(fiber.pending.kind) || IsEnabled(fiber))) {
    if (__builtin_expect(s.timed_count + s.late_count != 0, 0)) {
      SetTimed(fiber, false);
      SetLate(fiber, false);
    }
    if (fiber.local) {
      UnlinkPending(fiber);
      MakeReady(fiber);
    } else {
      SetOpen(fiber, true);
    }
  } else {
    // Who only lets others go first (joint_cycle.h) does not wait for time.
    const bool timed = fiber.timed && !fiber.joint;
    SetOpen(fiber, false);
    SetTimed(fiber, timed && !fiber.late);
    SetLate(fiber, timed && fiber.late);
  }
  if (was_timed && !sets.timed.Has(fiber.id) && MayBeWoken(fiber)) NoteLetGo(fiber, true);
}

Fiber& LetGo(uint32_t id) {
  Fiber& fiber = g_fibers[id];
  if (sets.timed.Has(id)) {
    SetTimed(fiber, false);
    fiber.wake = Wake::kTimedOut;
    if (fiber.now < fiber.deadline) fiber.now = fiber.deadline;  // virtual time passes
  } else {
    SetOpen(fiber, false);
  }
  UnlinkPending(fiber);
  return fiber;
}

void NoteSignalLate(Fiber& self) {
  if (!g_outside.signal_is_pending(self)) return;
  self.signal_late = self.timed = self.late = true;
  self.deadline = self.now;
}

void InitSchedule() {
  MapTable(kThreadSetsTable, sizeof(ThreadSets));
  AddExecutionTable({
      .reset = [] { ForEachSet([](FiberSet& set) { set.Reset(g_fiber_count); }); },
      .save = [](base::SavedBytes& to) { ForEachSet([&](FiberSet& set) { set.Save(to); }); },
      .restore =
          [](base::SavedBytesReader& from) {
            ForEachSet([&](FiberSet& set) { set.Restore(from); });
          },
  });
  InitPlanFollower();
}

void MakeReady(Fiber& fiber) {
  if (op::WordOf(fiber.id) >= sets.open.Width()) {
    ForEachSet([&](FiberSet& set) { set.Widen(fiber.id + 1); });
  }
  fiber.next_ready = nullptr;
  if (s.ready_last == nullptr)
    s.ready_first = &fiber;
  else
    s.ready_last->next_ready = &fiber;
  s.ready_last = &fiber;
}

void Changed(Object& object) {
  object.level = LevelOf(object);
  for (Fiber* fiber = object.pending_threads; fiber != nullptr;) {
    Fiber* next = fiber->next_pending;  // Classify may unlink it
    Classify(*fiber);
    fiber = next;
  }
}

void Changed(Fiber& fiber) {
  if (fiber.state == FiberState::kPublished) Classify(fiber);
}

void LetSignalIn(Fiber& fiber) {
  if (fiber.state != FiberState::kPublished || fiber.timed) return;
  NoteSignalLate(fiber);
  Classify(fiber);
}

void KeepSignalOut(Fiber& fiber) {
  if (fiber.state != FiberState::kPublished || !fiber.signal_late) return;
  fiber.signal_late = fiber.timed = fiber.late = false;
  Classify(fiber);
}

void LetTimePass(Fiber& fiber) {
  if (fiber.state != FiberState::kPublished || fiber.wake != Wake::kNone) return;
  fiber.timed = true;
  fiber.signal_late = false;
  fiber.late = LimitComesLate(fiber);
  if (!fiber.late) g_trace->pending[fiber.id].detail |= op::kTimed;
  NoteLetGo(fiber, false);
  Classify(fiber);
}

bool OthersCouldGoOn() { return s.open_count + s.timed_count != 0; }

bool TimeCouldHelp() { return s.late_count != 0; }

void RespectAtomicSections() { s.atomic_sections = true; }

void SetSpinning(Fiber& fiber, bool spinning, bool released) {
  s.spinning_count += spinning ? 1 : -1u;
  if (spinning) return;
  if (released) NoteLetGo(fiber, false);
  Classify(fiber);
}

void WakeWithHash(Fiber& fiber, Wake wake, uint64_t hash) {
  fiber.wake = wake;
  ++fiber.wakes;
  fiber.wake_hash += hash;
  if (fiber.now < Current().now) fiber.now = Current().now;
  NoteLetGo(fiber, false);
  Changed(fiber);
}

}  // namespace heddle::runtime
