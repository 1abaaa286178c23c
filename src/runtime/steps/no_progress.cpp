#include "runtime/steps/no_progress.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "check/lost_signal.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/enabled.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/cycle.h"
#include "runtime/loops/cycle_report.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/objects/rwlock.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/states/frame_snapshot.h"

namespace heddle::runtime {
namespace {

// A condition wait that nobody has signalled; once signalled, it waits for the mutex.
bool IsUnsignalled(const Fiber& fiber) {
  return fiber.pending.kind == op::Kind::kCondReacquire && fiber.wake == Wake::kNone;
}

// The thread that `fiber` waits for, when it is one thread: the owner of a lock, or the one to be
// joined.
op::ThreadId WaitsFor(const Fiber& fiber) {
  if (fiber.timed || fiber.waits_after_round) return op::kNoThread;  // time lets it go
  if (fiber.pending.kind == op::Kind::kThreadJoin) return fiber.pending.other;
  const Object* object = fiber.pending_object;
  if (object == nullptr || IsUnsignalled(fiber)) return op::kNoThread;
  if (IsMutexLike(object->kind)) return object->mutex.owner;
  if (object->kind == ObjectKind::kRwLock) return object->rwlock.writer;
  if (object->kind == ObjectKind::kOnce) return object->once.runner;
  return op::kNoThread;
}

bool IsBlocked(const Fiber& fiber) { return fiber.state == FiberState::kPublished; }

const char* WhatItWaitsFor(const Fiber& fiber) {
  const op::Family family =
      IsUnsignalled(fiber) ? op::Family::kCondition : op::FamilyOf(fiber.pending.kind);
  return op::Info(family).noun;
}

uintptr_t ObjectWaitedFor(const Fiber& fiber) {
  return IsUnsignalled(fiber) ? fiber.pending.object2 : fiber.pending.object;
}

// What it waits for as a writer, if readers hold it; else null.
const RwLockState* ReadLocked(const Fiber& fiber) {
  const Object* object = fiber.pending_object;
  if (object == nullptr || fiber.timed || object->kind != ObjectKind::kRwLock) return nullptr;
  if (fiber.pending.kind != op::Kind::kRwWriteLock) return nullptr;
  return object->rwlock.readers != 0 ? &object->rwlock : nullptr;
}

// A thread that holds what `fiber` waits for: of several readers itself, or the first.
op::ThreadId HolderFor(const Fiber& fiber) {
  const RwLockState* lock = ReadLocked(fiber);
  if (lock == nullptr) return WaitsFor(fiber);
  if (Holds(*lock, fiber.id)) return fiber.id;
  op::ThreadId first = 0;
  while (first < g_used_fibers && !Holds(*lock, first)) ++first;
  return first < g_used_fibers ? first : op::kNoThread;
}

void DescribeReaders(BoundedText& text, const RwLockState& lock, op::ThreadId writer) {
  const bool itself = Holds(lock, writer);
  text.Add(itself ? ", which it holds itself for reading" : ", held for reading by ");
  const char* separator = itself ? ", as does " : "";
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if (id == writer || !Holds(lock, id)) continue;
    text.Add("%s%%T%u%%", separator, id);
    separator = " and ";
  }
}

// A wait for a future of std::async joins its thread within a pthread_once: who comes there from
// that thread waits for itself.
bool WaitsForItself(const Fiber& fiber, op::ThreadId owner) {
  return fiber.pending_object->kind == ObjectKind::kOnce && IsBlocked(g_fibers[owner]) &&
         g_fibers[owner].pending.kind == op::Kind::kThreadJoin &&
         g_fibers[owner].pending.other == fiber.id;
}

void Describe(BoundedText& text, const Fiber& fiber) {
  if (fiber.pending.kind == op::Kind::kThreadJoin) {
    text.Add("%%T%u%% waits for %%T%u%% to end", fiber.id, fiber.pending.other);
    return;
  }
  text.Add("%%T%u%% waits for %s %%O%lx%%", fiber.id, WhatItWaitsFor(fiber),
           ObjectWaitedFor(fiber));
  if (const RwLockState* lock = ReadLocked(fiber)) return DescribeReaders(text, *lock, fiber.id);
  const op::ThreadId owner = WaitsFor(fiber);
  if (owner == fiber.id)
    text.Add(", which it holds itself");
  else if (owner != op::kNoThread)
    text.Add(", held by %%T%u%%", owner);
  if (owner != op::kNoThread && owner != fiber.id && WaitsForItself(fiber, owner))
    text.Add(" until %%T%u%% has ended: the thread waits for its own future", fiber.id);
}

// Does `id` wait for a thread that waits ... for `id`?
bool IsOnCycle(op::ThreadId id) {
  op::ThreadId at = id;
  for (uint32_t step = 0; step < g_used_fibers; ++step) {
    if (!IsBlocked(g_fibers[at]) || IsEnabled(g_fibers[at])) return false;
    at = WaitsFor(g_fibers[at]);
    if (at == id || at == op::kNoThread) return at == id;
  }
  return false;
}

// A thread on a cycle of owners, or kNoThread.
op::ThreadId FindCycle() {
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (IsOnCycle(id)) return id;
  return op::kNoThread;
}

bool MustWaitFor(const Fiber& fiber, op::ThreadId other) {
  if (!IsBlocked(fiber) || IsEnabled(fiber)) return false;
  if (const RwLockState* lock = ReadLocked(fiber)) return Holds(*lock, other);
  return WaitsFor(fiber) == other;
}

// A cycle in which some thread waits for one of several readers. Told only: that it is a deadlock
// shows when nobody can go on. Fills `next`, by thread, along the cycle. Returns a thread on it, or
// kNoThread.
op::ThreadId FindCycleOfReaders(op::ThreadId* next) {
  auto* reached = static_cast<op::ThreadId*>(g_state.bump.Take(g_used_fibers * sizeof *next));
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    // Backwards: who waits for `id`, who waits for those ...
    for (op::ThreadId other = 0; other < g_used_fibers; ++other) next[other] = op::kNoThread;
    uint32_t count = 0;
    reached[count++] = id;
    for (uint32_t at = 0; at < count && next[id] == op::kNoThread; ++at)
      for (op::ThreadId other = 0; other < g_used_fibers; ++other) {
        if (next[other] != op::kNoThread || !MustWaitFor(g_fibers[other], reached[at])) continue;
        next[other] = reached[at];
        if (other != id) reached[count++] = other;
      }
    if (next[id] != op::kNoThread) return id;
  }
  return op::kNoThread;
}

// What else than where it stands is known of the loop of a thread that spins.
void RecordLoopOf(const Fiber& fiber) {
  uintptr_t places[3] = {};
  if (!fiber.polling) {
    const SpinWindow& window = *fiber.spins_in;
    for (uint32_t i = 0; i < window.place_count && i < 3; ++i) places[i] = window.places[i];
  }
  RecordLoop(0, places);
}

// Blocked threads, for the report: what each of them waits for, and where.
void RecordBlocked() {
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (IsBlocked(g_fibers[id])) {
      RecordStanding(id, channel::kStepBlocked, ObjectWaitedFor(g_fibers[id]),
                     HolderFor(g_fibers[id]));
      if (g_fibers[id].spinning) RecordLoopOf(g_fibers[id]);
    }
}

// Are only threads left that go round in loops that they were written to stay in, and those that
// wait for them to end?
bool AllMakeProgress() {
  bool looked = false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (!IsBlocked(fiber) || fiber.pending.kind == op::Kind::kThreadJoin) continue;
    if (id >= kFrameSnapshots) return false;
    if (!std::exchange(looked, true)) FindAllStandings(Current());
    const FrameSnapshot& snapshot = FrameSnapshotOf(fiber);
    const bool found = snapshot.execution == g_execution;
    if (!PollsInEndlessLoop(fiber, found ? snapshot.loop : kNotLookedAt)) return false;
  }
  return looked;
}

// The one that a debugger and a page show: the last one, unless it has ended or only waits for
// another one's end while somebody waits for something else.
op::ThreadId WhoWaits(op::ThreadId on_cycle) {
  const Fiber& last = Current();
  const bool waits = IsBlocked(last) && last.pending.kind != op::Kind::kThreadJoin;
  if (waits && (on_cycle == op::kNoThread || IsOnCycle(last.id))) return last.id;
  if (on_cycle != op::kNoThread) return on_cycle;
  op::ThreadId joins = op::kNoThread;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if (!IsBlocked(g_fibers[id])) continue;
    if (g_fibers[id].pending.kind != op::Kind::kThreadJoin) return id;
    if (joins == op::kNoThread) joins = id;
  }
  return joins != op::kNoThread ? joins : Current().id;
}

bool DescribeCycleOfReaders(BoundedText& text) {
  auto* next = static_cast<op::ThreadId*>(g_state.bump.Take(g_used_fibers * sizeof(op::ThreadId)));
  const op::ThreadId begin = FindCycleOfReaders(next);
  if (begin == op::kNoThread) return false;
  op::ThreadId at = begin;
  text.Add(next[at] == at ? "self-deadlock: " : "lock cycle: ");
  do {
    if (at != begin) text.Add("; ");
    Describe(text, g_fibers[at]);
    at = next[at];
  } while (at != begin);
  return true;
}

bool IsWaiting(op::ThreadId id) {
  return IsBlocked(g_fibers[id]) && g_fibers[id].pending.kind != op::Kind::kThreadJoin;
}

// The signal for lack of which it waits for ever, where that is certain. Only a report asks.
const channel::StepRecord* LostSignalOf(const Fiber& fiber) {
  if (!g_state.recording || !IsUnsignalled(fiber)) return nullptr;
  return check::LostSignal(RecordedSteps(), fiber.id, fiber.pending.object2, fiber.pending.object);
}

// Threads that a signal came too early for. Returns true if there are some.
bool DescribeLostSignals(BoundedText& text) {
  const char* separator = "lost wake-up: ";
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const channel::StepRecord* lost = IsWaiting(id) ? LostSignalOf(g_fibers[id]) : nullptr;
    if (lost == nullptr) continue;
    text.Add("%s", std::exchange(separator, "; "));
    Describe(text, g_fibers[id]);
    text.Add(
        ": %%T%u%% signalled it%%N%lx%%, when %%T%u%% had locked mutex %%O%lx%% but did not wait "
        "yet",
        lost->thread, static_cast<unsigned long>(lost->number), id,
        static_cast<unsigned long>(g_fibers[id].pending.object));
  }
  return *separator == ';';
}

// Do both wait for one signal?
bool WaitTogether(op::ThreadId one, op::ThreadId other) {
  return IsWaiting(one) && IsWaiting(other) && IsUnsignalled(g_fibers[one]) &&
         IsUnsignalled(g_fibers[other]) &&
         ObjectWaitedFor(g_fibers[one]) == ObjectWaitedFor(g_fibers[other]);
}

// ", as does T4,": those that wait where `first` does.
void DescribeOthersThere(BoundedText& text, op::ThreadId first) {
  const char* separator = ", as does ";
  for (op::ThreadId id = first + 1; id < g_used_fibers; ++id)
    if (WaitTogether(first, id)) text.Add("%s%%T%u%%", std::exchange(separator, " and "), id);
  if (*separator == ' ') text.Add(",");
}

bool IsToldWithAnother(op::ThreadId id) {
  for (op::ThreadId other = 0; other < id; ++other)
    if (WaitTogether(other, id)) return true;
  return false;
}

// Who waits for what, and of what wakes up by another one's step, that none is left. A thread that
// has missed its signal comes first: others may wait only because that one does not go on.
void DescribeWaits(BoundedText& text) {
  const bool is_lost = DescribeLostSignals(text);
  const char* separator = is_lost ? "; perhaps only because of that, " : "";
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (!IsWaiting(id) || LostSignalOf(fiber) != nullptr) continue;
    if (!is_lost && IsToldWithAnother(id)) continue;
    const bool unsignalled = IsUnsignalled(fiber);
    const bool unwoken = fiber.pending.kind == op::Kind::kFutexWoken;
    text.Add("%s%s", separator,
             (unsignalled || unwoken) && *separator == '\0' ? "lost wake-up: " : "");
    separator = "; ";
    Describe(text, fiber);
    if (is_lost) continue;
    if (unwoken) text.Add(" and nobody is left to wake it");
    if (!unsignalled) continue;
    DescribeOthersThere(text, id);
    text.Add(" and nobody is left to signal it");
  }
}

// A thread sleeps at a futex, and x86 has no such execution. Of what C11 leaves open beside a futex
// the C++ library makes use (std::latch of libstdc++ 12), so it is no bug, and no proof either.
bool RestsOnFutex() {
  if (ChannelHeader().settings.memory_model != space::MemoryModel::kC11) return false;
  const auto sleeps = [](const Fiber& fiber) {
    return IsBlocked(fiber) && fiber.pending.kind == op::Kind::kFutexWoken;
  };
  if (std::none_of(g_fibers, g_fibers + g_used_fibers, sleeps) || IsOnX86()) return false;
  NoteIncomplete(Incomplete::kWeakOperation, "sleeps at a futex, as x86 never does");
  return true;
}

}  // namespace

void EndWithoutProgress(uint32_t spinning) {
  if (spinning != 0 && AllMakeProgress()) EndAsGoingOn();
  if (RestsOnFutex()) EndAsRedundant();
  trace::Ending& ending = g_trace->ending;
  BoundedText text = {ending.message, ending.message + sizeof ending.message};
  const op::ThreadId on_cycle = FindCycle();
  ending.thread = WhoWaits(on_cycle);
  ending.kind = trace::EndKind::kDeadlock;
  // Identity: where everybody stands who is part of it, whoever came first.
  uint64_t places = 0;
  for (uint32_t id = 0; id < g_used_fibers; ++id)
    if (IsBlocked(g_fibers[id]) && g_fibers[id].pending.kind != op::Kind::kThreadJoin &&
        (on_cycle == op::kNoThread || IsOnCycle(id)))
      places += base::Spread(g_fibers[id].pending.pc);
  ending.address = places;
  ending.pc = 0;
  if (on_cycle != op::kNoThread) {
    op::ThreadId at = on_cycle;
    text.Add(WaitsFor(g_fibers[at]) == at ? "self-deadlock: " : "lock cycle: ");
    do {
      if (at != on_cycle) text.Add("; ");
      Describe(text, g_fibers[at]);
      at = WaitsFor(g_fibers[at]);
    } while (at != on_cycle && at != op::kNoThread);
  } else if (spinning != 0) {
    ending.kind = trace::EndKind::kLivelock;
    const char* separator = "";
    for (uint32_t id = 0; id < g_used_fibers; ++id) {
      const Fiber& fiber = g_fibers[id];
      if (!IsBlocked(fiber)) continue;
      text.Add("%s", separator);
      separator = "; ";
      const bool timed = fiber.waits_after_round;
      if (!fiber.spinning && !timed) {
        Describe(text, fiber);
        continue;
      }
      ending.pc = fiber.pending.pc;
      ending.thread = id;
      if (timed) {
        text.Add(
            "%%T%u%% waits for %s %%O%lx%% with a time limit, for ever: its rounds change "
            "nothing, and nobody is left to change what they find",
            id, WhatItWaitsFor(fiber), ObjectWaitedFor(fiber));
        continue;
      }
      if (fiber.polling) {
        text.Add("%%T%u%% polls for ever under %s %%O%lx%%", id, WhatItWaitsFor(fiber),
                 ObjectWaitedFor(fiber));
        continue;
      }
      text.Add("%%T%u%% spins on", id);
      const SpinWindow& window = *fiber.spins_in;
      if (window.count == 0) text.Add(" nothing that anybody could change");
      for (uint32_t i = 0; i < window.count; ++i)
        text.Add(" %%O%lx%%", window.accesses[i].object->address);
      if (window.count != 0) text.Add(", which nobody is left to write");
    }
  } else if (!DescribeCycleOfReaders(text)) {
    DescribeWaits(text);
  }
  if (g_state.recording) RecordBlocked();
  LeaveToLoop();
}

void EndIfThreadsWaitInCircle() {
  if (FindCycle() == op::kNoThread) return;
  g_trace->ending.status = trace::kOthersCouldGoOn;
  EndWithoutProgress(0);
}

void EndIfClosesCircle(const Fiber& fiber) {
  if (!IsOnCycle(fiber.id)) return;
  g_trace->ending.status = trace::kOthersCouldGoOn;
  EndWithoutProgress(0);
}

}  // namespace heddle::runtime
