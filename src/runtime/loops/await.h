// Loops that wait for one atomic object: `while (flag.load() != 1) {}`, a failed compare-exchange
// and again. A round of such a loop that leads back to the very state in which it began, and in
// which nothing but that one read was made, is *vain*: the execution without it is an execution,
// too, and nobody can tell the two apart. So it leaves the dependence graph, and the thread forgets
// what it learnt by it (clocks, virtual time). docs/algorithms/spinning.md has the argument, and
// what the reductions make of it.
//
// To tell whether even the first round is vain, the state has to be taken before it begins, and
// that is expensive. So it is taken only at places of the code where a thread was seen to wait
// (places.h). When a new place is seen, the search begins again.
//
// A round is vain only if it is one step, so that it can be taken back: nobody else did anything
// meanwhile. A yield in it is no scheduling point; others go first after it instead.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/loops/code/dead_state.h"
#include "runtime/loops/heap_rounds.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// A thread's latest round, and what is taken back if it was vain.
struct AwaitRound {
  Recurrence cycle;  // the state in which it began
  DeadMemory dead;   // that is no part of the state
  SpinWindow waits_for;
  uint32_t state_id = 0;  // of the state that the thread stands in, at its operation; 0: none
  bool runs = false;      // it has begun, and the thread has met no other operation since
  bool taken = false;     // the state was, when the thread arrived
  bool scripted = false;  // it is a step of the script, and so not in vain
  bool yielded = false;
  bool plain = false;  // made plain accesses to what is not dead
  bool last_of_script = false;
  bool looks_no_more = false;  // plan::Plan::lowest_first: a later look is another execution's
  bool runs_out = false;       // all rounds that are left are one look (run_out.h)
  uint32_t arrived_at = 0;     // so many steps had begun when the state was taken
  uint32_t first_event = 0;
  uint32_t step = 0;
  uint64_t changes = 0;
  uint64_t happens_before = 0;
  uint64_t state = 0;
  Object* object = nullptr;
  AccessGroup group;  // of the object
  HeapBefore heap;
  uint32_t events_of_thread = 0;
  uint32_t weak_events = 0;  // WeakMemory::Events
  uint64_t now = 0;
  uint64_t wake_hash = 0;
  trace::Clock clock;
  trace::Clock acquire_at_fence;
};

// At take-over.
void InitAwaits();

// `self` stands before `operation`, which ends its round. Is it a place where loops wait? If the
// round was vain, the thread waits. REQUIRES: g_state.awaits.
bool StandsAtAwait(Fiber& self, const op::Operation& operation);

// The thread was let go at a place where loops wait.
void BeginAwaitRound(Fiber& self, const op::Operation& operation);

// `self`, whose round runs, yields: no scheduling point, in a script neither. (Otherwise the step
// would be two where it is run again.)
bool YieldsInRound(Fiber& self, const op::Operation& operation);

// `self` makes a plain access to memory that others may change. What compilers tell heddle of, on
// the thread's own stack, others may know the address of.
void NotePlainInRound(const Fiber& self, uintptr_t address, size_t size);

// Its round yielded since it last stood before an operation.
bool RoundYielded(Fiber& self);

inline bool IsAwaitKind(op::Kind kind) {
  return kind == op::Kind::kAtomicLoad || kind == op::Kind::kAtomicCompareExchange;
}

// Its last round was vain, and it waits for a change.
inline bool WaitsInVain(const Fiber& self) {
  return self.loops.await != nullptr && self.spinning &&
         self.spins_in == &self.loops.await->waits_for;
}

// Is its next operation a write to an object that a loop waited for in this execution, or made by
// code that ended such a wait in this execution or an earlier one? (By code, because the lock of
// the next node of a queue is another object, for which nobody has waited yet.)
bool ChangesWhatLoopsWaitFor(const Fiber& self);
// Are additions to it that nobody looks at to be taken to commute (primitives/atomic.h)? Not if a
// loop waited for it. If one comes to, the search begins again.
bool AddsCommuteAt(const Object& object);
// From here on another plan is followed, whose script ends later.
void LastOfScriptIsLater();
// This write ended a wait.
void NoteEndsWait(const op::Operation& operation);

// `self`, which stands at such a place, is in a loop whose rounds run out: they are one look.
inline bool MakesLastLook(const Fiber& self) {
  return self.loops.await != nullptr && self.loops.await->runs_out;
}

// The state in which `self` stands; 0: it is none in which a loop waits.
inline uint32_t AwaitState(const Fiber& self) {
  return self.loops.await != nullptr ? self.loops.await->state_id : 0;
}

}  // namespace heddle::runtime
