// The step loop: what the rest of the runtime asks of it (scheduler.cpp).
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitSchedule();

// The running fiber gives up for good (it finished): runs somebody else.
[[noreturn]] void LeaveForGood();

// A created thread is ready to run its first, local, segment.
void MakeReady(Fiber& fiber);

// Leaves the program for the loop that called RunFibers; the execution is over.
[[noreturn]] void LeaveToLoop();

// Runs `main_fiber` and whatever it creates, until somebody calls LeaveToLoop.
void RunFibers(Fiber& main_fiber);

// Goes on with the threads as RestoreExecution left them, until somebody calls LeaveToLoop.
void ResumeFibers();

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
