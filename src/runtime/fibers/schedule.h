// What the step loop knows of the threads: who may go on, and who ran last (schedule.cpp says what
// the sets mean, and keeps them).
#pragma once

#include <cstdint>

#include "op/thread_set.h"
#include "runtime/fibers/fiber.h"
#include "runtime/fibers/table.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"

namespace heddle::runtime {

using FiberSet = op::FixedThreadSet<kMaxFibers>;

struct Schedule {
  uint32_t running;  // thread that ran the last visible operation
  uint32_t open_count;
  uint32_t timed_count;
  uint32_t late_count;
  uint32_t spinning_count;
  uint32_t run_length;   // events that `running` has made in a row
  bool atomic_sections;  // some thread may be done or in an atomic section
  Fiber* ready_first;    // local steps, first come first served
  Fiber* ready_last;
};
extern Schedule g_schedule;

// A table of the execution (kThreadSetsTable): sets of threads, all of one width.
struct ThreadSets {
  FiberSet open;
  FiberSet timed;
  FiberSet late;
  FiberSet yielding;  // subset of open
  FiberSet avoided;   // scratch
};

// Once, before the first execution.
void InitSchedule();

// A created thread is ready to run its first, local, segment.
void MakeReady(Fiber& fiber);

// `fiber` stands before its next operation: which set does it belong to?
void Classify(Fiber& fiber);

// Re-evaluates which of the threads that stand before an operation on `object` are enabled.
void Changed(Object& object);
// Re-evaluates one thread (it was signalled, for example).
void Changed(Fiber& fiber);

// The thread goes on with the operation that it stands before, or with its timeout.
Fiber& LetGo(uint32_t id);

void SetTimed(Fiber& fiber, bool timed);
void SetLate(Fiber& fiber, bool late);

// A signal may run its handler when nothing else can go on: like a time limit that is over, with
// --timeouts last.
void NoteSignalLate(Fiber& self);

// A thread begins or ends to wait in a spin loop. `released`: it could not have gone on before.
void SetSpinning(Fiber& fiber, bool spinning, bool released = true);

// The time limit of `fiber`, which waits, may pass from now on (timed_rounds.h).
void LetTimePass(Fiber& fiber);

// May a thread that stands before its next operation go on, if only by a timeout?
bool OthersCouldGoOn();

// Does a thread wait for nothing but time (--timeouts last)?
bool TimeCouldHelp();

// A signal that `fiber` does not block is pending: where it waits, its handler may run when nothing
// else can.
void LetSignalIn(Fiber& fiber);
// Not any more: another thread took it.
void KeepSignalOut(Fiber& fiber);

// From now on in this execution some thread may be `done` or in an atomic section: while it is
// enabled it goes on without a choice.
void RespectAtomicSections();

// `fiber` was let go by the event with dependence hash `hash`, so its next event depends on it.
void WakeWithHash(Fiber& fiber, Wake wake, uint64_t hash);

}  // namespace heddle::runtime
