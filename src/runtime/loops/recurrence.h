// Does a thread come back to the same place in the same state? Its state is its registers, its
// stack, and what it has written elsewhere.
//
// Registers and stack are compared by a hash. What was written is compared itself: every write puts
// its address into a ring of the thread's last 64 (one store), and when a state is taken, the
// values at these addresses are copied. A later visit is in the same state if everything written
// since then is among these addresses and has the value of then. A loop that writes more in a round
// is not recognised.
//
// Which place? At first that of the first event; when it is not met again for a while, that of a
// later one, and the while doubles (Brent's cycle detection). Or that of a yield which is met twice
// before it: a few rounds of a loop that yields cost nothing (plan::kFreeStays), and it has to be
// recognised in these, or what it costs to leave it would depend on what else was run. A place is
// code and the object that it accesses, so a loop over an array never comes back to one, and its
// state is not taken. (Taking it unwinds the stack, which was half the time of a lock-free queue.)
// Cost: three comparisons per event. The state is taken only at the anchor: often at first, then
// ever more seldom.
//
// What code that was not rebuilt writes is not seen.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/loops/code/dead_state.h"

namespace heddle::runtime {

inline constexpr uint32_t kFirstLongest = 8;  // events that a round of a loop may take, at first
inline constexpr uint32_t kPatience = 64;     // visits of the anchor that are compared one by one

inline bool IsAt(const Recurrence& cycle, const op::Operation& operation) {
  return cycle.anchor == operation.pc && cycle.object == operation.object &&
         cycle.kind == operation.kind;
}

inline void SetAnchor(Recurrence& cycle, const op::Operation& operation) {
  cycle.kind = operation.kind;
  cycle.anchor = operation.pc;
  cycle.object = operation.object;
}

// Changes by `self` that no later write can take back.
inline uint64_t LastingChanges(const Fiber& self) { return self.changes - self.memory_changes; }

// Chooses the place of `operation`.
void BeginRecurrence(Recurrence& cycle, const Fiber& self, const op::Operation& operation,
                     uint32_t longest);

// An event away from the anchor or at it.
inline void CountEvent(Recurrence& cycle, const Fiber& self, const op::Operation& operation) {
  if (++cycle.away > cycle.longest)
    return BeginRecurrence(cycle, self, operation, 2 * cycle.longest);
  if (!op::Has(operation.kind, op::kYields)) return;
  if (cycle.yield == operation.pc)
    BeginRecurrence(cycle, self, operation, cycle.longest);
  else
    cycle.yield = operation.pc;
}

enum class Visit : uint8_t { kOther, kTaken, kMet };

// The thread is at its anchor: in the state taken earlier (kMet), or not; the state is taken anew
// (kTaken) at visits that are powers of two, so that a loop that meets its anchor several times in
// a round is found, too; and when others have changed what it reads, so that nothing old hinders.
// `idle`: as far as is known, nobody has since the last visit. If `live`, what is dead
// (loops/code/dead_state.h) is no part of the state.
Visit VisitAnchor(const Fiber& self, Recurrence& cycle, bool idle, bool live = true);

// The same for loops that nearly always get something done: unless everything looks idle, registers
// and stack are left alone.
Visit VisitBusyAnchor(const Fiber& self, Recurrence& cycle, bool idle, bool live = true);

// Counts the visit among those in a row that were idle, and returns true if there are more than
// --idle-rounds of them.
bool IdleForLong(Recurrence& cycle, bool idle, uint32_t times = 1);

// The state of `self`, which is about to make its pending operation, without what is dead then;
// 0: not known. `dead` is what of its memory is.
uint64_t LiveStateOf(const Fiber& self, DeadMemory& dead);
// The same with all of it.
uint64_t StateOf(const Fiber& self);
// Copies what has been written since `cycle.began`.
void TakeValues(const Fiber& self, Recurrence& cycle);

// Has everything that was written since the state was taken, but for what is dead, the value of
// then?
bool IsRestored(const Fiber& self, const Recurrence& cycle, const DeadMemory& dead = {});

}  // namespace heddle::runtime
