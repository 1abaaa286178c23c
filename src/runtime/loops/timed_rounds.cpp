#include "runtime/loops/timed_rounds.h"

#include <algorithm>
#include <new>

#include "base/hash.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/loops/cycle.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/loops/recurrence.h"
#include "runtime/loops/waiting.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// More of them, or of objects than kSpinAccesses, is no round that is looked at.
constexpr uint32_t kMostRanges = 64;

// Of longer rounds only the beginning is compared with the round before.
constexpr uint32_t kMostEvents = 256;

// A round that looks at a clock is made so many times as often as others that change nothing.
constexpr uint32_t kTimesWithClock = 4;

// Limits that pass elsewhere before another place is looked at.
constexpr uint32_t kPassesElsewhere = 4;

struct RoundAccess : SpinAccess {
  uint32_t signals;  // of a condition variable
  int32_t held;      // of a lock: taken, less given back
  bool lent;         // given back before it was taken: the thread held it when the round began
};

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

struct Ranges {
  uint32_t count;
  Range all[kMostRanges];

  void Add(uintptr_t address, size_t size) {
    const uintptr_t end = address + size;
    for (uint32_t i = 0; i < std::min(count, kMostRanges); ++i)
      if (all[i].begin <= address && end <= all[i].end) return;
    if (count < kMostRanges) all[count] = {address, end};
    if (count <= kMostRanges) ++count;
  }
  bool Touches(uintptr_t address, size_t size) const {
    for (uint32_t i = 0; i < std::min(count, kMostRanges); ++i)
      if (address < all[i].end && all[i].begin < address + size) return true;
    return false;
  }
  bool Overflowed() const { return count > kMostRanges; }
};

}  // namespace

struct TimedRounds {
  Recurrence cycle;        // its anchor is the wait whose limit passes
  uint32_t elsewhere = 0;  // limits that have passed since the thread was there
  // Of the present round.
  bool runs = false;
  bool noticed = false;
  bool news = false;     // somebody wrote to plain memory that it had read
  uint32_t changes = 0;  // of Fiber::changes, those that a round may make
  uint32_t looks = 0;    // at a clock, which count as changes
  uint64_t changes_before = 0;
  uint32_t count = 0;
  RoundAccess accesses[kSpinAccesses];
  Ranges reads = {};
  Ranges writes = {};
  trace::Clock known;  // when it began
  // Between rounds.
  bool catches = false;  // an exception, in some round
  // Of the loop, while its state is the same: what CallOutsideLoop answers, once asked.
  bool asked = false;
  const char* call = nullptr;
  bool sure = false;    // the loop calls nothing that changes what heddle does not see
  bool tried = false;   // LetTimedRoundsTry let it go, and it came back in vain
  bool trying = false;  // it did, and the thread is on its round
  // Do its rounds lead back to one state? Then what it does in them is nothing for others from tick
  // `nothing_from` on, while the present round has not written, and its events have been those of
  // the round before.
  bool repeats = false;
  uint32_t nothing_from = 0;
  uint32_t events[kMostEvents];  // hashes
  uint32_t event_count = 0;      // of the round before
  uint32_t next_event = 0;
  uint64_t written = 0;  // Fiber::written at the last return
};

namespace {

[[HEDDLE_OF_EXECUTION]] uint32_t in_vain;
[[HEDDLE_OF_EXECUTION]] bool any_round;
[[HEDDLE_OF_EXECUTION]] bool any_in_vain;
[[HEDDLE_OF_EXECUTION]] bool reads_clock;  // after a round had begun
// When threads were let go to try once more: the state, and who could go on.
[[HEDDLE_OF_EXECUTION]] uint64_t tried_in;
[[HEDDLE_OF_EXECUTION]] uint64_t open_then;

void NoteTimes() {
  if (any_in_vain && reads_clock) NoteIncomplete(Incomplete::kTimeOfRounds);
}

bool IsLock(const Object& object) {
  return IsMutexLike(object.kind) || object.kind == ObjectKind::kRwLock;
}

// Has it changed what a round may not?
bool ChangesMore(const Fiber& fiber, const TimedRounds& rounds) {
  return fiber.changes - rounds.changes_before != rounds.changes;
}

bool HasWritten(const Fiber& fiber, const TimedRounds& rounds) {
  return fiber.written != rounds.written || ChangesMore(fiber, rounds);
}

// Ticks of `thread` from this one on are of rounds that changed nothing.
uint32_t NothingFrom(op::ThreadId thread) {
  const Fiber& fiber = g_fibers[thread];
  const TimedRounds* rounds = fiber.loops.timed_rounds;
  if (rounds == nullptr || !rounds->repeats || HasWritten(fiber, *rounds)) return ~0u;
  return rounds->nothing_from;
}

// What code that heddle does not see into does in these rounds is taken for nothing.
void NoteTakenForNothing(op::ThreadId thread) {
  const TimedRounds& rounds = *g_fibers[thread].loops.timed_rounds;
  const bool unknown = rounds.catches || rounds.next_event > kMostEvents;
  NoteCallOfRound(unknown ? "" : rounds.call);
}

// Does `learnt` tell of something that happened beyond what `knows` does?
bool TellsMore(const trace::Clock& learnt, const trace::Clock& knows, op::ThreadId self) {
  for (op::ThreadId id = 0; id < learnt.Size(); ++id) {
    if (id == self || learnt.At(id) <= knows.At(id)) continue;
    if (NothingFrom(id) > knows.At(id) + 1) return true;
    NoteTakenForNothing(id);
  }
  return false;
}

bool LockTellsMore(const Object& lock, const Fiber& self) {
  if (TellsMore(lock.release, self.clock, self.id)) return true;
  return lock.kind == ObjectKind::kRwLock && TellsMore(lock.reader_release, self.clock, self.id);
}

// Has the round neither been noticed nor found anything new, as far as its objects tell?
bool LeftAlone(const Fiber& self, const TimedRounds& rounds) {
  if (rounds.count > kSpinAccesses || rounds.reads.Overflowed() || rounds.writes.Overflowed())
    return false;
  for (uint32_t i = 0; i < rounds.count; ++i) {
    const RoundAccess& access = rounds.accesses[i];
    const Object& object = *access.object;
    if (access.held != 0) return false;
    if (IsLock(object)) {
      if (LockTellsMore(object, self)) return false;
    } else if (object.kind == ObjectKind::kCondition) {
      if (object.condition.signals != access.signals) return false;
    } else if (OthersInterfered(access)) {
      return false;
    }
  }
  return true;
}

// But for what clocks told it.
bool IsInVain(const Fiber& self, const TimedRounds& rounds) {
  const bool only_looked = self.changes - rounds.changes_before == rounds.changes + rounds.looks;
  return rounds.runs && !rounds.noticed && !rounds.news && only_looked &&
         !TellsMore(self.clock, rounds.known, self.id) && LeftAlone(self, rounds);
}

// What a round may do that counts as a change.
bool MayChange(op::Kind kind) {
  return op::IsAtomic(kind) || op::IsPlain(kind) || op::Has(kind, op::kLocks) ||
         kind == op::Kind::kCondWait || kind == op::Kind::kCondReacquire ||
         kind == op::Kind::kFutexWait || kind == op::Kind::kFutexWoken;
}

// Takes a lock: 1; gives it back: -1.
int32_t TakesOrGives(op::Kind kind, const Object& object) {
  if (!IsLock(object)) return 0;
  if (kind == op::Kind::kCondReacquire) return 1;
  if (kind == op::Kind::kCondWait) return -1;
  return op::GivesBack(kind) ? -1 : 1;
}

RoundAccess* FindAccess(TimedRounds& rounds, const Object& object) {
  for (uint32_t i = 0; i < std::min(rounds.count, kSpinAccesses); ++i)
    if (rounds.accesses[i].object == &object) return &rounds.accesses[i];
  return nullptr;
}

void NoteAccess(TimedRounds& rounds, op::Kind kind, Object& object, bool changed) {
  RoundAccess* access = FindAccess(rounds, object);
  if (access == nullptr) {
    if (rounds.count > kSpinAccesses || rounds.count++ == kSpinAccesses) return;
    access = &rounds.accesses[rounds.count - 1];
    const bool signalled = object.kind == ObjectKind::kCondition;
    *access = {{&object, object.version, object.uses, changed},
               signalled ? object.condition.signals : 0,
               0,
               false};
  } else {
    FollowOwnAccess(*access, changed);
  }
  if (changed) access->held += TakesOrGives(kind, object);
  access->lent |= access->held < 0;
}

void TakeState(const Fiber& self, TimedRounds& rounds, uint64_t state) {
  rounds.cycle.state = state;
  TakeValues(self, rounds.cycle);
  rounds.asked = false;
}

void SetWaiting(Fiber& fiber, bool waits) {
  const TimedRounds& rounds = *fiber.loops.timed_rounds;
  fiber.waits_after_round = waits;
  in_vain += waits ? 1 : -1u;
  for (uint32_t i = 0; i < rounds.count; ++i)
    rounds.accesses[i].object->spinners += waits ? 1 : -1u;
}

// REQUIRES: it waits.
void LetGoOn(Fiber& fiber) {
  SetWaiting(fiber, false);
  LetTimePass(fiber);
}

// `fiber` waits, and the running thread accessed `object`.
bool MayFindMore(const Fiber& fiber, const Object& object, bool changed) {
  const RoundAccess* access = FindAccess(*fiber.loops.timed_rounds, object);
  if (access == nullptr || object.kind == ObjectKind::kCondition) return false;
  if (IsLock(object)) return changed && LockTellsMore(object, fiber);
  return changed || access->written;
}

}  // namespace

namespace {

// Another event than in the round before: the thread is about to do something else, or has found
// something else. It may have left its loop.
void FollowRound(TimedRounds& rounds, const op::Operation& operation, bool changed,
                 uint64_t value) {
  const uint64_t what = base::MixTwo(operation.pc, operation.object);
  const uint64_t how =
      base::MixTwo(static_cast<uint64_t>(operation.kind) << 1 | (changed ? 1 : 0), value);
  const auto event = static_cast<uint32_t>(base::MixTwo(what, how));
  const uint32_t at = rounds.next_event;
  if (at == kMostEvents) rounds.next_event = kMostEvents + 1;
  if (at >= kMostEvents) return;
  ++rounds.next_event;
  if (at >= rounds.event_count || rounds.events[at] != event) rounds.repeats = false;
  rounds.events[at] = event;
}

}  // namespace

void NoteInTimedRound(Fiber& self, const op::Operation& operation, bool changed, uint64_t value) {
  TimedRounds& rounds = *self.loops.timed_rounds;
  FollowRound(rounds, operation, changed, value);
  const bool counts = changed && MayChange(operation.kind) && !op::IsPlain(operation.kind);
  if (rounds.runs && counts) ++rounds.changes;
}

void NoteTouchInTimedRound(Fiber& self, const op::Operation& operation, Object& object,
                           bool changed) {
  TimedRounds& rounds = *self.loops.timed_rounds;
  if (!rounds.runs) return;
  NoteAccess(rounds, operation.kind, object, changed);
  // Others may make plain accesses there.
  if (op::IsAtomic(operation.kind) && operation.size != 0)
    (changed ? rounds.writes : rounds.reads).Add(operation.object, operation.size);
}

void WatchPlainOfRounds(const Fiber& self, uintptr_t address, size_t size, bool write) {
  TimedRounds* own = self.loops.timed_rounds;
  if (own != nullptr && own->runs) (write ? own->writes : own->reads).Add(address, size);
  TellRoundsOfAccess(self, address, size, write);
}

void TellRoundsOfAccess(const Fiber& self, uintptr_t address, size_t size, bool write) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    TimedRounds* rounds = fiber.loops.timed_rounds;
    if (rounds == nullptr || id == self.id || fiber.state == FiberState::kUnused) continue;
    if (rounds->runs && rounds->writes.Touches(address, size)) rounds->noticed = true;
    if (!write || !rounds->reads.Touches(address, size)) continue;
    rounds->news = true;
    if (fiber.waits_after_round) LetGoOn(fiber);
  }
}

void NoteLockAsked(const Fiber& self, const Object& lock, bool taken) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    TimedRounds* rounds = g_fibers[id].loops.timed_rounds;
    if (rounds == nullptr || id == self.id || !rounds->runs) continue;
    const RoundAccess* access = FindAccess(*rounds, lock);
    if (access == nullptr) continue;
    // Who held it to write may have it back to read.
    const bool as_before = access->held == 0 && !(access->lent && lock.kind == ObjectKind::kRwLock);
    rounds->noticed |= !as_before && (!taken || access->lent);
  }
}

bool ReturnsInVain(Fiber& self) {
  TimedRounds& rounds = *self.loops.timed_rounds;
  if (!IsAt(rounds.cycle, self.pending)) return false;
  rounds.elsewhere = 0;
  rounds.trying = false;
  const bool may_idle = IsInVain(self, rounds);
  const bool looked = rounds.looks != 0;
  const bool may_be = may_idle && !looked;
  const uint64_t state = StateOf(self);
  const bool same = state != 0 && state == rounds.cycle.state && IsRestored(self, rounds.cycle);
  if (rounds.next_event < rounds.event_count) rounds.repeats = false;
  if (!same || !rounds.repeats || HasWritten(self, rounds)) rounds.nothing_from = self.tick + 1;
  rounds.repeats = same;
  rounds.event_count = rounds.next_event;
  rounds.next_event = 0;
  rounds.written = self.written;
  rounds.changes_before = self.changes;
  rounds.changes = rounds.looks = 0;
  rounds.runs = false;
  if (same)
    rounds.cycle.taken_written = self.written;
  else
    TakeState(self, rounds, state);
  if (same && !rounds.asked) {
    rounds.call = CallOutsideLoop(self);
    rounds.asked = true;
  }
  ++rounds.cycle.visits;
  const bool others = OthersCouldGoOn();
  // A clock may end the loop after some rounds, which is seen if it gets that far.
  const uint32_t times = looked ? kTimesWithClock : 1;
  const bool idles = IdleForLong(rounds.cycle, may_idle && !(may_be && same), times) && others;
  if (!same) rounds.tried = false;
  if (!idles && !(may_be && same)) return false;
  if (!rounds.asked) rounds.call = CallOutsideLoop(self);
  rounds.asked = true;
  const char* const call = rounds.catches ? "" : rounds.call;
  rounds.sure = same && call == nullptr;
  if (!rounds.sure && !others) return false;  // it goes on until something shows
  if (idles) NoteIdleRounds(self.pending);
  NoteCallOfRound(call);
  any_in_vain = true;
  NoteTimes();
  ReduceNoMore();  // within a bound: a limit that would have cost something does not pass
  SetWaiting(self, true);
  return true;
}

void BeginTimedRound(Fiber& self) {
  if (self.loops.timed_rounds == nullptr) {
    self.loops.timed_rounds = new (g_state.bump.Take(sizeof(TimedRounds))) TimedRounds;
    g_state.places |= kWatchRounds;
  }
  any_round = true;
  TimedRounds& rounds = *self.loops.timed_rounds;
  if (!IsAt(rounds.cycle, self.pending)) {
    if (rounds.cycle.anchor != 0 && ++rounds.elsewhere <= kPassesElsewhere) return;
    rounds.elsewhere = 0;
    // Its state is taken at its return. In the first round what lies in frames that are called may
    // be left from before.
    BeginRecurrence(rounds.cycle, self, self.pending, 0);
    rounds.cycle.visits = 1;
    rounds.repeats = false;
    rounds.written = self.written;
  }
  rounds.runs = true;
  rounds.noticed = rounds.news = false;
  rounds.changes = rounds.looks = 0;
  rounds.changes_before = self.changes;
  rounds.count = rounds.reads.count = rounds.writes.count = 0;
  rounds.known.Assign(self.clock, g_state.bump);
}

void EndTimedWait(Fiber& self) {
  TimedRounds& rounds = *self.loops.timed_rounds;
  if (self.waits_after_round) SetWaiting(self, false);
  if (IsAt(rounds.cycle, self.pending)) rounds.repeats = rounds.tried = false;
}

void TellTimedRounds(Object& object, bool changed) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if (!fiber.waits_after_round || !MayFindMore(fiber, object, changed)) continue;
    fiber.loops.timed_rounds->tried = false;
    LetGoOn(fiber);
  }
}

namespace {

// Where everybody stands when nobody can go on. Of who goes round a loop only the place counts.
uint64_t Standstill() {
  uint64_t hash = 1;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished) continue;
    const bool loops = fiber.spinning || fiber.waits_after_round;
    hash = base::MixTwo(hash, base::MixTwo(id, loops ? fiber.pending.pc : fiber.events));
  }
  return hash;
}

// 0: there are too many threads.
uint64_t OpenNow() {
  if (g_used_fibers > 64) return 0;
  const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
  uint64_t open = 0;
  sets.open.ForEach([&](op::ThreadId id) { open |= BitOf(id); });
  return open;
}

}  // namespace

bool LetTimedRoundsTry() { return LetTimedRoundsTry(Standstill()); }

bool LetTimedRoundsTry(uint64_t state) {
  const bool as_before = state == tried_in;
  tried_in = state;
  open_then = OpenNow();
  bool any = false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if (!fiber.waits_after_round) continue;
    TimedRounds& rounds = *fiber.loops.timed_rounds;
    if (rounds.sure && rounds.tried && as_before) continue;
    rounds.tried = rounds.trying = any = true;
    LetGoOn(fiber);
  }
  return any;
}

uint64_t LetInByRound(Fiber& self) {
  TimedRounds& rounds = *self.loops.timed_rounds;
  if (!rounds.trying || !rounds.runs || self.atomic_depth != 0 || self.done) return 0;
  const uint64_t open = OpenNow();
  if (open == 0 || (open & BitOf(self.id)) == 0) return 0;
  uint64_t others = open & ~open_then & ~BitOf(self.id);
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if (g_fibers[id].loops.timed_rounds != nullptr && g_fibers[id].loops.timed_rounds->trying)
      others &= ~BitOf(id);
  if (others != 0) rounds.trying = rounds.tried = false;
  return others;
}

void NoteClockBesideRounds() {
  if (!any_round) return;
  reads_clock = true;
  TimedRounds* rounds = Current().loops.timed_rounds;
  if (rounds != nullptr && rounds->runs) ++rounds->looks;
  NoteTimes();
}

void NoteEarliestBesideRounds() {
  if (any_in_vain) NoteIncomplete(Incomplete::kTimeOfRounds);
}

void NoteCatchInRound(const Fiber& self) {
  if (self.loops.timed_rounds != nullptr) self.loops.timed_rounds->catches = true;
}

uint32_t TimedRoundsInVain() { return in_vain; }

}  // namespace heddle::runtime
