#include "runtime/fibers/spin.h"

#include <unwind.h>

#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/table.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uint64_t Fold(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

struct StateHash {
  const Fiber* fiber;
  uintptr_t pc;
  uint64_t hash;
};

// At the frame of the program that made the call: the registers it will find again when the call
// returns (everything else is dead by the calling convention), and its stack from there up.
_Unwind_Reason_Code HashFrame(_Unwind_Context* context, void* argument) {
  auto* state = static_cast<StateHash*>(argument);
  if (_Unwind_GetIP(context) != state->pc) return _URC_NO_REASON;
  constexpr int kCalleeSaved[] = {3, 6, 12, 13, 14, 15};  // rbx rbp r12-r15 as DWARF numbers them
  uint64_t hash = state->pc;
  for (int number : kCalleeSaved) hash = Fold(hash, _Unwind_GetGR(context, number));
  const uintptr_t begin = _Unwind_GetCFA(context);
  const uintptr_t end =
      reinterpret_cast<uintptr_t>(state->fiber->stack_begin) + state->fiber->stack_size;
  hash = Fold(hash, begin);
  constexpr uintptr_t kMost =
      256 << 10;  // a deeper stack is not worth the time: no wait, never a wrong one
  if (begin < end && end - begin < kMost) {
    for (uintptr_t at = begin & ~uintptr_t{7}; at + 8 <= end; at += 8)
      hash = Fold(hash, *reinterpret_cast<const uint64_t*>(at));
    state->hash = hash | 1;
  }
  return _URC_END_OF_STACK;
}

uint64_t progress;  // events that were no repetition; only differences count, so it is never reset
uint32_t pollers;   // threads that wait for it to change
uint32_t rounds;    // how often they were let go because nobody else could go on

constexpr uint32_t kFirstLongest = 8;  // events that a round of a loop may take, to begin with
constexpr uint32_t kPatience =
    64;  // visits of the anchor: compared one by one, and then the thread yields

void Begin(Recurrence& cycle, const op::Operation& operation, uint32_t longest) {
  cycle = {.anchor = operation.pc, .object = operation.object, .longest = longest};
}

bool IsAt(const Recurrence& cycle, const op::Operation& operation) {
  return cycle.anchor == operation.pc && cycle.object == operation.object;
}

// An event away from the anchor or at it.
void CountEvent(Recurrence& cycle, const op::Operation& operation) {
  if (++cycle.away > cycle.longest) Begin(cycle, operation, 2 * cycle.longest);
}

void WakePollers() {
  for (uint32_t id = 0; id < g_used_fibers && pollers != 0; ++id) {
    Fiber& fiber = g_fibers[id];
    if (!fiber.polling) continue;
    fiber.spinning = fiber.polling = false;
    --pollers;
    SetSpinning(fiber, false);
  }
}

uint64_t HashState(const Fiber& self) {
  const OutsideExecution outside;
  StateHash state{&self, self.pending.pc, 0};
  _Unwind_Backtrace(HashFrame, &state);
  return state.hash;
}

enum class Visit : uint8_t { kOther, kTaken, kMet };

// The thread is at its anchor: in the state taken earlier (kMet), or not; the state is taken anew
// (kTaken) at visits that are powers of two, so that a loop that meets its anchor several times in
// a round is found, too.
Visit VisitAnchor(const Fiber& self, Recurrence& cycle) {
  cycle.away = 0;
  ++cycle.visits;
  const bool take = (cycle.visits & (cycle.visits - 1)) == 0;
  if (!take && cycle.visits - cycle.taken_at > kPatience) return Visit::kOther;
  const uint64_t state = HashState(self);
  if (state != 0 && state == cycle.state) {
    cycle.taken_at = cycle.visits;  // worth looking every time
    return Visit::kMet;
  }
  if (!take) return Visit::kOther;
  cycle.state = state;
  cycle.taken_at = cycle.visits;
  return Visit::kTaken;
}

bool NothingReadHasChanged(const SpinWindow& spin) {
  if (spin.count > kSpinReads) return false;
  for (uint32_t i = 0; i < spin.count; ++i)
    if (spin.reads[i].object->version != spin.reads[i].version) return false;
  return true;
}

bool CheckSpin(Fiber& self) {
  SpinWindow& spin = self.spin;
  const Visit visit = VisitAnchor(self, spin.cycle);
  const bool unchanged = NothingReadHasChanged(spin);
  if (visit == Visit::kMet && unchanged) {
    self.spinning = true;
    for (uint32_t i = 0; i < spin.count; ++i) ++spin.reads[i].object->spinners;
    SetSpinning(self, true);
    return false;
  }
  if (visit != Visit::kOther) spin.count = 0;
  return unchanged && spin.cycle.visits > kPatience;
}

uint64_t ProgressOfOthers(const Fiber& self) { return progress - self.own_progress; }

bool CheckPoll(Fiber& self) {
  PollWindow& poll = self.poll;
  const Visit visit = VisitAnchor(self, poll.cycle);
  if (visit == Visit::kOther) return poll.repeating;
  const bool nothing_happened = poll.progress == ProgressOfOthers(self);
  poll.progress = ProgressOfOthers(self);
  if (visit == Visit::kTaken) return poll.repeating;
  poll.repeating = true;
  if (nothing_happened) {
    if (pollers == 0)
      NoteWeaknessOfReduction(
          "a loop polls under a lock: it waits until any other thread does something, so orders of "
          "operations that are independent but for that are not all told apart");
    self.spinning = self.polling = true;
    ++pollers;
    SetSpinning(self, true);
  }
  return true;
}

}  // namespace

bool CheckSpinning(Fiber& self, const op::Operation& operation) {
  if (IsAt(self.spin.cycle, operation) && self.spin.writes == self.writes) return CheckSpin(self);
  if (IsAt(self.poll.cycle, operation) && self.poll.changes == self.writes - self.lock_operations)
    return CheckPoll(self);
  return false;
}

void NoteSpinRead(Fiber& self, Object* object, const op::Operation& operation) {
  SpinWindow& spin = self.spin;
  if (spin.writes != self.writes || spin.cycle.anchor == 0) {
    spin.writes = self.writes;
    spin.count = 0;
    Begin(spin.cycle, operation, kFirstLongest);
  } else {
    CountEvent(spin.cycle, operation);
  }
  if (object == nullptr || spin.count > kSpinReads) return;
  if (spin.reads == nullptr)
    spin.reads = static_cast<SpinRead*>(g_state.bump.Take(kSpinReads * sizeof(SpinRead)));
  for (uint32_t i = 0; i < spin.count; ++i)
    if (spin.reads[i].object == object)
      return;  // the earlier version counts: a change since then ends the wait
  if (spin.count < kSpinReads) spin.reads[spin.count] = {object, object->version};
  ++spin.count;
}

void NoteLocking(Fiber& self, const op::Operation& operation) {
  ++self.lock_operations;
  PollWindow& poll = self.poll;
  const uint64_t changes = self.writes - self.lock_operations;
  if (poll.changes != changes || poll.cycle.anchor == 0) {
    poll.changes = changes;
    poll.repeating = false;
    Begin(poll.cycle, operation, kFirstLongest);
  } else {
    CountEvent(poll.cycle, operation);
  }
}

void NoteProgress(Fiber& self, op::Kind kind, op::Access access) {
  PollWindow& poll = self.poll;
  if (poll.repeating && poll.changes == self.writes - self.lock_operations) {
    const bool waits = kind == op::Kind::kYield || kind == op::Kind::kSleep;
    if (IsLocking(kind) || waits || access == op::Access::kRead) return;
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

void WakeSpinners(Object& object) {
  for (uint32_t id = 0; id < g_used_fibers && object.spinners != 0; ++id) {
    Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished || !fiber.spinning || fiber.polling) continue;
    bool waits = false;
    for (uint32_t i = 0; i < fiber.spin.count; ++i) waits |= fiber.spin.reads[i].object == &object;
    if (!waits) continue;
    for (uint32_t i = 0; i < fiber.spin.count; ++i) --fiber.spin.reads[i].object->spinners;
    fiber.spinning = false;
    fiber.spin.count = 0;
    SetSpinning(fiber, false);
  }
}

void ResetSpinning() {
  pollers = 0;
  rounds = 0;
}

}  // namespace heddle::runtime
