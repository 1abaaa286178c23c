// Writing down that an operation took effect: the event, and its place in the dependence graph.
//
// The graph of an execution is represented by a hash (MSR-TR-2007-12 section 3.3): the hash of an
// event covers its thread, its position in the thread, what it is, and the hashes of its immediate
// predecessors in the dependence order; the hash of the graph is the sum over events. So it does
// not depend on the order of independent events, and is kept up to date in constant time per event.
// Nor does it depend on the search: a thread is named by its creation path, because its number may
// be another one where another execution was the first to create it, and no address goes in.
//
// The synchronisation order (AcquireFrom, ReleaseInto) is a different relation and is kept apart:
// it is what the language guarantees, and only the race check uses it.
//
// Virtual time follows the dependence order: an event is not earlier than what it depends on. So
// the clocks that a thread reads are a function of the graph, never of the order of independent
// events, and a thread that learns from one that slept for a second is that late at least.

#include "runtime/steps/commit.h"

#include <errno.h>

#include "base/hash.h"
#include "op/dependence.h"
#include "runtime/control.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/loops/recent_writes.h"
#include "runtime/loops/spin.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/objects/enabled.h"
#include "runtime/prim/lifetime.h"
#include "runtime/record.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using base::MixTwo;

[[HEDDLE_OF_EXECUTION]] uint64_t last_event_hash;
// Of all that came before time passed for the last time.
[[HEDDLE_OF_EXECUTION]] uint64_t epoch_hash;

// Of an event that was written down, while steps are recorded or under tso and c11.
[[gnu::noinline]] void NoteWritten(const Fiber& self, const op::Operation& operation,
                                   op::Access access, uint64_t value) {
  if (g_state.recording) RecordStep(operation, access, value);
  if (g_state.weak && !g_weak->HasRoomForEvents(self.id)) EndAtGraphLimit(self, operation.pc);
}

// `first`: the object of the event, or the first of several. Inlined: its two callers have nearly
// all that it needs in registers.
[[gnu::always_inline]] inline void Write(Fiber& self, const op::Operation& operation,
                                         const trace::Touch& first, op::Access access,
                                         uint64_t value, uint64_t predecessors) {
  TraceBuffers& t = *g_trace;
  const uint64_t position = self.path + self.events++;
  const uint64_t hash =
      MixTwo(position, MixTwo(predecessors + epoch_hash, static_cast<uint64_t>(operation.kind)));
  last_event_hash = hash;
  self.attempted = nullptr;
  NoteProgress(self, operation.kind, access);
  if (__builtin_expect(g_state.joint_waits, 0)) WakeJointWaiters();
  t.happens_before += hash;
  t.state += op::ComesByItself(operation.kind, access) ? 0 : hash;
  t.steps_hash =
      MixTwo(t.steps_hash, uint64_t{self.id} << 16 | static_cast<uint64_t>(operation.kind) << 8 |
                               static_cast<uint64_t>(access));
  const uint32_t at = t.event_count;
  t.events[at] = {self.id,
                  operation.kind,
                  access,
                  operation.order,
                  static_cast<uint8_t>(operation.detail | self.round |
                                       (self.timed && !self.late ? op::kTimed : 0)),
                  first.object,
                  first.level,
                  first.expected,
                  operation.other,
                  value};
  t.event_count = at + 1;
  if (__builtin_expect(static_cast<int>(g_state.recording) | g_state.weak, 0))
    NoteWritten(self, operation, access, value);
  if (__builtin_expect(at + 1 >= t.event_limit, 0)) EndAtEventLimit(self, operation.pc);
}

bool JoinsGroup(const AccessGroup& group, op::Access access) {
  return group.access == access && access != op::Access::kWrite;
}

// Hash of what an access to `object` comes after: the accesses that do not commute with it.
uint64_t Predecessors(const Object& object, op::Access access) {
  const AccessGroup& group = object.group;
  return JoinsGroup(group, access) ? group.before
                                   : MixTwo(group.hash, static_cast<uint64_t>(group.access) + 1);
}

// The access is not earlier than what it comes after. REQUIRES: for every object of an event,
// before Order() for the first.
void PassTime(const Object& object, op::Access access, Fiber& self) {
  const AccessGroup& group = object.group;
  const uint64_t time = JoinsGroup(group, access) ? group.before_time : group.time;
  if (self.now < time) self.now = time;
}

// The event with `hash`, made at `now`, made the access.
void Order(Object& object, op::Access access, uint64_t hash, uint64_t now) {
  AccessGroup& group = object.group;
  if (JoinsGroup(group, access)) {
    group.hash += hash;
    if (group.time < now) group.time = now;
    return;
  }
  group.before = Predecessors(object, access);
  group.access = access;
  group.hash = hash;
  group.before_time = group.time;
  group.time = now;
}

// The state of `object` changed: who spins on it looks again.
void Renew(Object& object) {
  ++object.version;
  if (object.spinners != 0) WakeSpinners(object, true);
}

bool IsMemory(op::Kind kind) { return op::IsAtomic(kind) || op::IsPlain(kind); }

trace::Touch TouchOf(const Object* object, op::Level expected) {
  if (object == nullptr) return {g_trace->event_count, trace::kNoObject, 0, 0};
  return {g_trace->event_count, object->number, object->level, expected};
}

// Takes what the thread was let go by, and what else the operation comes after.
uint64_t TakeReasons(Fiber& self, uint64_t extra) {
  const uint64_t reasons = self.wake_hash + base::Spread(extra);
  self.wake_hash = 0;
  return reasons;
}

bool Writes(op::Access access) {
  return access == op::Access::kWrite || access == op::Access::kShared;
}

// Of a thread whose rounds run out (run_out.h): not what lets others go, or joins them.
bool IsRepeated(op::Kind kind, op::Access access) {
  return access == op::Access::kRead || op::Has(kind, op::kYields);
}

// A plain write is no change by itself (plain.h notes it, too), whether it is visible or
// not.
void NoteMemoryChange(Fiber& self, Object& object, const op::Operation& operation) {
  if (operation.kind != op::Kind::kPlainWrite) {
    ++self.changes;
    ++self.memory_changes;
    NoteWritten(self, operation.object, operation.size);
  }
  NoteSpinWrite(self, object, operation);
}

// What Commit tells loops/spin.h of one object, of several.
void NoteSpinTouches(Fiber& self, const op::Operation& operation, const Touches& touches,
                     bool changes) {
  if (changes && !IsMemory(operation.kind)) {
    ++self.changes;
    return;
  }
  if (changes)
    NoteMemoryChange(self, touches.ObjectOf(0), operation);
  else
    NoteSpinRead(self, &touches.ObjectOf(0), operation);
  for (uint32_t i = 1; i < touches.Count(); ++i)
    NoteFurtherSpinAccess(self, touches.ObjectOf(i), operation, changes);
  if (changes) return;
  for (uint32_t i = 0; i < touches.Count(); ++i) {
    Object& object = touches.ObjectOf(i);
    if (object.spinners != 0) WakeSpinners(object, false);
  }
}

void NoteTouchesInTimedRound(Fiber& self, const op::Operation& operation, const Touches& touches,
                             uint32_t changed_from, uint64_t value) {
  NoteInTimedRound(self, operation, changed_from < touches.Count(), value);
  for (uint32_t i = 0; i < touches.Count(); ++i)
    NoteTouchInTimedRound(self, operation, touches.ObjectOf(i), i >= changed_from);
}

// Of the objects touched, those from this one on are changed.
uint32_t ChangedFrom(const Touches& touches, op::Access access, Effect effect) {
  if (effect == Effect::kQueues) return touches.Count() - 1;
  return Writes(access) && effect == Effect::kChanges ? 0 : touches.Count();
}

bool RoundsAreWatched() { return __builtin_expect((g_state.places & kWatchRounds) != 0, 0); }

// Plain accesses tell it themselves. REQUIRES: RoundsAreWatched().
void TellRounds(const Fiber& self, const op::Operation& operation, bool changes) {
  if (op::IsAtomic(operation.kind))
    TellRoundsOfAccess(self, operation.object, operation.size, changes);
}

// Of an operation that has changed nothing: did it find a lock taken?
bool FoundTaken(const Object& object, op::Access access) {
  return access == op::Access::kRead && object.kind != ObjectKind::kWord &&
         object.kind != ObjectKind::kStack;
}

// Of an operation that has changed nothing: does C11 not say what it orders, nor when it fails? Of
// a call of once that finds it done, and of a notification that nobody waits for, it does.
bool IsBeyondC11(const Object& object, op::Access access) {
  return FoundTaken(object, access) && object.kind != ObjectKind::kOnce &&
         object.kind != ObjectKind::kCondition;
}

// Out of line, and all at once: few programs have rounds that are watched. REQUIRES: as above.
[[gnu::noinline]] void TellWatchedRounds(const Fiber& self, const op::Operation& operation,
                                         const Object& object, op::Access access, bool changes) {
  if (access != op::Access::kNone) TellRounds(self, operation, changes);
  if (changes ? !IsMemory(operation.kind) : FoundTaken(object, access))
    NoteLockAsked(self, object, changes);
}

}  // namespace

uint64_t LastEventHash() { return last_event_hash; }

void BeginEpoch() { epoch_hash = MixTwo(g_trace->happens_before, 1); }

void Commit(const op::Operation& operation, Object* object, op::Access access, uint64_t value,
            uint64_t extra, Effect effect, op::Level expected) {
  Fiber& self = Current();
  if (__builtin_expect(self.repeats_reads, 0) && IsRepeated(operation.kind, access)) return;
  if (__builtin_expect(g_state.weak, 0) && !op::IsAtomic(operation.kind))
    TellWeakMemory(self, operation, object, access);
  uint64_t predecessors = TakeReasons(self, extra);
  const bool touches = object != nullptr && access != op::Access::kNone;
  if (touches) predecessors += Predecessors(*object, access);
  Write(self, operation, TouchOf(object, expected), access, value, predecessors);
  if (touches) {
    PassTime(*object, access, self);
    Order(*object, access, last_event_hash, self.now);
    NoteAccess(object->number, access);
    ++object->uses;
  }
  const bool changes = Writes(access) && effect == Effect::kChanges;
  if (changes && object != nullptr) Renew(*object);
  if (__builtin_expect(self.loops.timed_rounds != nullptr, 0)) {
    NoteInTimedRound(self, operation, changes, value);
    if (touches) NoteTouchInTimedRound(self, operation, *object, changes);
  }
  if (RoundsAreWatched() && object != nullptr)
    TellWatchedRounds(self, operation, *object, access, changes);
  if (!changes) {
    NoteSpinRead(self, object, operation);
    if (touches && object->spinners != 0) WakeSpinners(*object, false);
    // A proof that rests on what operations order is off.
    if (object != nullptr && IsBeyondC11(*object, access)) ChannelHeader().summary.beyond_c11 = 1;
    return;
  }
  if (IsMemory(operation.kind)) return NoteMemoryChange(self, *object, operation);
  ++self.changes;
  if (op::Has(operation.kind, op::kLocks)) return NoteLocking(self, operation);
  if (object != nullptr && object->kind == ObjectKind::kSemaphore) ++self.semaphore_changes;
}

// A misuse has no effect, and is the access that the operation would have been: so it is the same
// wherever the operation is made, whether that turns out to be a misuse there or not.
void CommitAttempt() {
  const Fiber& self = Current();
  if (self.attempted == nullptr) return;
  Object& object = *self.attempted;
  op::Operation operation = self.pending;
  operation.detail |= op::kNoEffect;
  if (object.kind == ObjectKind::kCondition) object.level = object.condition.waiters.count;
  if (operation.kind == op::Kind::kCondWait) {
    Object& mutex = FindObject(operation.object2, ObjectKind::kMutex);
    return CommitWait(operation, object, mutex, LevelOf(mutex));
  }
  const bool succeeds = op::SucceedsAt(operation.kind, object.level, 0);
  op::Access access = succeeds ? op::Info(operation.kind).access : op::Access::kRead;
  if (object.kind == ObjectKind::kThread && g_state.thread_joins) access = op::Access::kWrite;
  constexpr uint64_t kFailed = EINVAL;
  Commit(operation, &object, access, kFailed);
}

void CommitWait(const op::Operation& wait, Object& condition, Object& mutex, op::Level held,
                uint64_t extra) {
  Touches both;
  both.Add(condition, condition.level, wait.pc);
  both.Add(mutex, held, wait.pc);
  CommitTouches(wait, both, op::Access::kWrite, 0, extra);
}

void CommitTouches(const op::Operation& operation, const Touches& touches, op::Access access,
                   uint64_t value, uint64_t extra, Effect effect) {
  Fiber& self = Current();
  if (__builtin_expect(self.repeats_reads, 0) && !Writes(access)) return;
  if (__builtin_expect(g_state.weak, 0))
    for (uint32_t i = 0; i < touches.Count(); ++i)
      TellWeakMemory(self, operation, &touches.ObjectOf(i), access);
  uint64_t predecessors = TakeReasons(self, extra);
  for (uint32_t i = 0; i < touches.Count(); ++i) {
    const uint64_t before = Predecessors(touches.ObjectOf(i), access);
    predecessors += i == 0 ? before : MixTwo(before, i + 1);  // one object: as Commit has it
  }
  op::Operation part = operation;
  part.detail |= op::kListed;
  if (touches.OfAPart()) part.detail |= op::kOfAPart;
  for (uint32_t i = 0; i < touches.Count(); ++i) touches[i].event = g_trace->event_count;
  Write(self, part, touches[0], access, value, predecessors);
  for (uint32_t i = 0; i < touches.Count(); ++i) PassTime(touches.ObjectOf(i), access, self);
  const uint32_t changed_from = ChangedFrom(touches, access, effect);
  const bool changes = changed_from < touches.Count();
  for (uint32_t i = 0; i < touches.Count(); ++i) {
    Object& object = touches.ObjectOf(i);
    Order(object, access, last_event_hash, self.now);
    NoteAccess(object.number, access);
    ++object.uses;
    if (i >= changed_from)
      Renew(object);
    else if (changes && object.spinners != 0)
      WakeSpinners(object, false);
  }
  if (!op::IsFrame(operation.kind)) {
    if (__builtin_expect(self.loops.timed_rounds != nullptr, 0))
      NoteTouchesInTimedRound(self, operation, touches, changed_from, value);
    if (RoundsAreWatched()) TellRounds(self, operation, changes);
    NoteSpinTouches(self, operation, touches, changes);
  }
  g_trace->touch_count += touches.Count();
}

void CommitOnMemory(const op::Operation& operation, uintptr_t address, size_t bytes,
                    op::Access access, uint64_t value, uint64_t extra) {
  if (Object* atom = FindAtom(address, bytes)) {
    atom->level = LevelOfBytes(reinterpret_cast<const void*>(address), bytes);
    return Commit(operation, atom, access, value, extra);
  }
  Touches touches;
  touches.Add(address, bytes, operation.pc);
  CommitTouches(operation, touches, access, value, extra);
}

void AcquireFrom(Fiber& self, const trace::Clock& release) {
  self.clock.Join(release, g_state.bump);
}

void ReleaseInto(Fiber& self, trace::Clock& release) {
  release.Join(self.clock, g_state.bump);
  BeginTick(self);
}

void ReleaseAs(Fiber& self, trace::Clock& release) {
  release.Assign(self.clock, g_state.bump);
  BeginTick(self);
}

void BeginTick(Fiber& self) {
  if (__builtin_expect(g_state.weak, 0)) EndTickOfWeakMemory(self);
  self.clock.Advance(self.id, ++self.tick);
}

}  // namespace heddle::runtime
