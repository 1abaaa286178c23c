#include "runtime/loops/spin.h"

#include <new>
#include <utility>

#include "base/hash.h"
#include "channel/channel.h"
#include "runtime/control.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/await.h"
#include "runtime/loops/recurrence.h"
#include "runtime/loops/run_out.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/loops/waiting.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_OF_EXECUTION]] uint64_t progress;  // events that were no repetition
[[HEDDLE_OF_EXECUTION]] uint32_t pollers;   // threads that wait for it to change
// How often they were let go because nobody else could go on.
[[HEDDLE_OF_EXECUTION]] uint32_t rounds;

uint64_t ChangesButLocks(const Fiber& self) { return LastingChanges(self) - self.lock_operations; }

void WakePollers() {
  for (uint32_t id = 0; id < g_used_fibers && pollers != 0; ++id) {
    Fiber& fiber = g_fibers[id];
    if (!fiber.polling) continue;
    fiber.spinning = fiber.polling = false;
    --pollers;
    SetSpinning(fiber, false);
    StopRunningOut(fiber);
  }
}

// Has anybody else changed what is accessed since the state was taken, or seen what the thread
// itself changed for a while?
bool OthersInterfered(const SpinWindow& window) {
  if (window.count > kSpinAccesses) return true;
  for (uint32_t i = 0; i < window.count; ++i)
    if (OthersInterfered(window.accesses[i])) return true;
  return false;
}

// Few threads change memory that often and spin; it saves the others 2 % of an execution.
constexpr uint64_t kFirstDoubt = 32;

void Leave(Fiber& self) {
  SpinWindow& window = *self.spins_in;
  for (uint32_t i = 0; i < window.count; ++i) --window.accesses[i].object->spinners;
  self.spinning = false;
}

bool OthersMayGoOn() { return OthersCouldGoOn() || LetTimedRoundsTry(); }

bool CheckQuiet(Fiber& self) {
  SpinWindow& window = self.windows.quiet;
  Recurrence& cycle = window.cycle;
  const bool idle = !OthersInterfered(window);
  const Visit visit = VisitAnchor(self, cycle, idle);
  if (visit == Visit::kMet && idle) {
    const bool reads_one = window.count == 1 && !window.accesses[0].written;
    if (reads_one && ChangesNothing(window)) WishAwaits({window.places, window.place_count});
    // Rounds that ran out led back here: they do so for ever.
    WaitInLoop(self, window, cycle.run_out && !MakesLastLook(self));
    return false;
  }
  if (IdleForLong(cycle, idle && window.count != 0) && OthersMayGoOn()) {
    NoteIdleRounds(self.pending);
    WaitInLoop(self, window, true);
    return true;
  }
  if (visit != Visit::kOther) window.count = 0;
  window.place_count = 0;
  return false;
}

// What the thread itself changes on the way, as it is now.
uint64_t ValuesWritten(const SpinWindow& window) {
  uint64_t hash = 1;
  for (uint32_t i = 0; i < window.count && i < kSpinAccesses; ++i) {
    const SpinAccess& access = window.accesses[i];
    if (!access.written) continue;
    const auto* bytes = reinterpret_cast<const void*>(access.object->address);
    hash = base::Fold(hash, LevelOfBytes(bytes, access.object->atom_bytes));
  }
  return hash;
}

bool CheckRestoring(Fiber& self) {
  SpinWindow& window = *self.loops.restoring;
  Recurrence& cycle = window.cycle;
  const bool idle = !OthersInterfered(window);
  const Visit visit = VisitBusyAnchor(self, cycle, idle);
  if (visit == Visit::kMet) {
    const channel::Settings& settings = ChannelHeader().settings;
    if (settings.bound.most != space::kUnbounded || settings.order == space::Order::kContextBounded)
      NoteIncomplete(Incomplete::kRestoringTable);
    WaitInLoop(self, window, cycle.run_out);
    return false;
  }
  // A round after which something has another value gets on.
  const uint64_t values = ValuesWritten(window);
  const bool same = std::exchange(window.values_written, values) == values;
  if (IdleForLong(cycle, idle && same && window.count != 0) && OthersMayGoOn()) {
    NoteIdleRounds(self.pending);
    WaitInLoop(self, window, true);
    return true;
  }
  if (visit == Visit::kTaken) window.count = 0;
  return false;
}

// The thread's event on `object` was part of the loop that the window may be in.
void NoteAccess(SpinWindow& window, Object& object, bool changed) {
  if (window.count > kSpinAccesses) return;
  for (uint32_t i = 0; i < window.count; ++i) {
    SpinAccess& access = window.accesses[i];
    if (access.object != &object) continue;
    FollowOwnAccess(access, changed);
    return;
  }
  if (window.accesses == nullptr) {
    window.accesses =
        static_cast<SpinAccess*>(g_state.bump.Take(kSpinAccesses * sizeof(SpinAccess)));
  }
  if (window.count < kSpinAccesses)
    window.accesses[window.count] = {&object, object.version, object.uses, changed};
  ++window.count;
}

void NotePlace(SpinWindow& window, uintptr_t place) {
  if (window.place_count > kPlacesOfRound) return;
  for (uint32_t i = 0; i < window.place_count; ++i)
    if (window.places[i] == place) return;
  if (window.place_count < kPlacesOfRound) window.places[window.place_count] = place;
  ++window.place_count;
}

// `changes`: of those that end the window, how many there were.
void NoteEvent(const Fiber& self, SpinWindow& window, uint64_t changes, Object* object,
               const op::Operation& operation, bool changed) {
  Recurrence& cycle = window.cycle;
  if (window.changes != changes || cycle.anchor == 0) {
    window.changes = changes;
    window.count = window.place_count = 0;
    BeginRecurrence(cycle, self, operation, kFirstLongest);
  } else if (op::IsPlain(cycle.kind) && cycle.visits == 0 && !op::IsPlain(operation.kind)) {
    // Under --points all: a synchronisation operation is more likely to be in the loop.
    BeginRecurrence(cycle, self, operation, cycle.longest);
  } else {
    CountEvent(cycle, self, operation);
  }
  if (cycle.taken_at == 0) return;
  NotePlace(window, operation.pc);
  if (object != nullptr) NoteAccess(window, *object, changed);
}

uint64_t ProgressOfOthers(const Fiber& self) { return progress - self.own_progress; }

void WaitForProgress(Fiber& self) {
  if (pollers == 0) NoteIncomplete(Incomplete::kPollsUnderLock);
  self.spinning = self.polling = true;
  ++pollers;
  SetSpinning(self, true);
}

bool CheckPoll(Fiber& self) {
  PollWindow& poll = self.windows.poll;
  const uint64_t others = ProgressOfOthers(self);
  // Most loops that take locks write something lasting on the way.
  const bool wrote = self.written != poll.cycle.began;
  const Visit visit = wrote ? VisitBusyAnchor(self, poll.cycle, true, false)
                            : VisitAnchor(self, poll.cycle, true, false);
  if (visit == Visit::kOther) return poll.repeating;
  const bool nothing_happened = poll.progress == others;
  poll.progress = others;
  if (visit == Visit::kTaken) return poll.repeating;
  poll.repeating = true;
  if (nothing_happened && poll.cycle.met_stale) {
    PassStaleRound();
  } else if (nothing_happened) {
    WaitForProgress(self);
  }
  return true;
}

bool IsIdleFor(const SpinWindow& window, uint64_t changes) {
  const Recurrence& cycle = window.cycle;
  return window.changes == changes && cycle.idle_rounds > ChannelHeader().settings.idle_rounds;
}

// Nobody else can go on, and its rounds change nothing that lasts.
bool SpinsAlone(const Fiber& self) {
  if (OthersCouldGoOn() || TimeCouldHelp()) return false;
  return IsIdleFor(self.windows.quiet, self.changes) ||
         (self.loops.restoring != nullptr &&
          IsIdleFor(*self.loops.restoring, LastingChanges(self)));
}

}  // namespace

bool CheckSpinning(Fiber& self, const op::Operation& operation) {
  if (IsAt(self.windows.quiet.cycle, operation) && self.windows.quiet.changes == self.changes) {
    if (self.windows.quiet.cycle.visits != 0) self.round = op::kRevisited;
    return CheckQuiet(self);
  }
  const SpinWindow* restoring = self.loops.restoring;
  if (restoring != nullptr && IsAt(restoring->cycle, operation) &&
      restoring->changes == LastingChanges(self))
    return CheckRestoring(self);
  if (IsAt(self.windows.poll.cycle, operation) &&
      self.windows.poll.changes == ChangesButLocks(self))
    return CheckPoll(self);
  return false;
}

void EndAtEventLimit(const Fiber& self, uintptr_t pc) {
  if (SpinsAlone(self)) {
    EndExecution(trace::EndKind::kHang, 0, 0, pc,
                 "%%T%u%% is the only thread left, and loops for ever: nothing that it reads there "
                 "changes (%u visible operations)",
                 self.id, g_trace->event_limit);
  }
  EndAsCut(pc,
           "an execution was cut after %u visible operations (--max-events), the last of them by "
           "%%T%u%% at %%L%lx%%: a loop that never ends, or a long execution",
           g_trace->event_limit, self.id, pc);
}

void NoteSpinRead(Fiber& self, Object* object, const op::Operation& operation) {
  NoteEvent(self, self.windows.quiet, self.changes, object, operation, false);
  if (self.loops.restoring != nullptr)
    NoteEvent(self, *self.loops.restoring, LastingChanges(self), object, operation, false);
}

void NoteSpinWrite(Fiber& self, Object& object, const op::Operation& operation) {
  if (op::IsPlain(operation.kind))
    NoteEvent(self, self.windows.quiet, self.changes, &object, operation, true);
  if (self.loops.restoring == nullptr) {
    if (self.memory_changes < kFirstDoubt) return;
    self.loops.restoring = new (g_state.bump.Take(sizeof(SpinWindow))) SpinWindow;
  }
  NoteEvent(self, *self.loops.restoring, LastingChanges(self), &object, operation, true);
}

void NoteFurtherSpinAccess(Fiber& self, Object& object, const op::Operation& operation,
                           bool changed) {
  const bool in_quiet = !changed || op::IsPlain(operation.kind);
  if (in_quiet && self.windows.quiet.cycle.taken_at != 0)
    NoteAccess(self.windows.quiet, object, changed);
  if (self.loops.restoring != nullptr && self.loops.restoring->cycle.taken_at != 0)
    NoteAccess(*self.loops.restoring, object, changed);
}

// Where the thread waits, it must keep nobody out: not before it gives a lock back.
void NoteLocking(Fiber& self, const op::Operation& operation) {
  ++self.lock_operations;
  PollWindow& poll = self.windows.poll;
  const uint64_t changes = ChangesButLocks(self);
  const bool begins = poll.changes != changes || poll.cycle.anchor == 0;
  if (begins) {
    poll.changes = changes;
    poll.repeating = false;
    poll.held = 0;
  }
  const int16_t held = poll.held;
  poll.held = static_cast<int16_t>(held + (op::GivesBack(operation.kind) ? -1 : 1));
  if (begins || held < poll.held_at_anchor) {
    poll.held_at_anchor = held;
    BeginRecurrence(poll.cycle, self, operation, kFirstLongest);
  } else if (held > poll.held_at_anchor) {
    ++poll.cycle.away;
  } else {
    CountEvent(poll.cycle, self, operation);
  }
}

void NoteProgress(Fiber& self, op::Kind kind, op::Access access) {
  PollWindow& poll = self.windows.poll;
  if (poll.repeating && poll.changes == ChangesButLocks(self)) {
    if (op::Has(kind, op::kLocks | op::kYields) || access == op::Access::kRead) return;
    if (op::IsFrame(kind)) return;
  }
  ++progress;
  ++self.own_progress;
  if (pollers != 0) WakePollers();
}

bool LetPollersTry() {
  constexpr uint32_t kRounds = 100;
  if (pollers == 0 || ++rounds > kRounds) return false;
  WakePollers();
  return true;
}

void WakeSpinners(Object& object, bool changed) {
  if (TimedRoundsInVain() != 0) TellTimedRounds(object, changed);
  for (uint32_t id = 0; id < g_used_fibers && object.spinners != 0; ++id) {
    Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished || !fiber.spinning || fiber.polling || fiber.joint)
      continue;
    SpinWindow& window = *fiber.spins_in;
    bool waits = false;
    for (uint32_t i = 0; i < window.count; ++i) {
      const SpinAccess& access = window.accesses[i];
      waits |= access.object == &object && (changed || access.written);
    }
    if (!waits) continue;
    // A thread that waits after a vain round could look at any time, so this releases nobody.
    const bool released = !WaitsInVain(fiber);
    if (changed) NoteEndsWait(Current().pending);
    Leave(fiber);
    window.count = 0;
    window.cycle.out_of_date = true;
    window.cycle.idle_rounds = 0;
    SetSpinning(fiber, false, released);
    StopRunningOut(fiber);  // afterwards: it is noted that the thread lost its timeout
  }
}

void WaitTimedOut(Fiber& self) {
  if (self.polling) {
    self.spinning = self.polling = false;
    --pollers;
  } else {
    Leave(self);
    self.spins_in->cycle.idle_rounds = 0;
  }
  if (self.may_run_out) BeginRunningOut(self);
}

}  // namespace heddle::runtime
