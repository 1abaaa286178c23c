// Pending signals and masks: what is taken, when, and by whom (signals.h says what the program
// sees). Shared by the calls that send, look for and wait for signals.
#pragma once

#include <signal.h>

#include <cstdint>

#include "op/operation.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/fiber.h"
#include "runtime/runtime.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

// Pending in the process; those of a thread are in its ThreadWorld.
extern SignalSet g_pending_in_process;

// What operations on pending signals and masks touch: of the process, and of one thread.
Object& SignalsObject();
Object& SignalsObjectOf(const Fiber& fiber);
Touches OwnSignals(uintptr_t pc);  // both, of the running thread
op::Operation SignalOperation(op::Kind kind, int number, uintptr_t pc);

SignalSet PendingSignalsFor(const ThreadWorld& world);
// Something is pending that the thread does not block.
bool SignalIsPending(const Fiber& fiber);
bool AwaitsSignal(const Fiber& fiber, int number);
bool SomebodyAwaitsSignal(int number);

// The running thread removes `number` from what is pending, and learns what the sender knew.
void RemovePendingSignal(int number);
// The running thread takes the signal: runs its handler, ignores it, or ends. `interrupts`: it
// comes from elsewhere, at some time.
void TakeSignal(int number, uintptr_t pc, bool interrupts = false);
// The running thread takes all that is pending and not blocked.
void TakePendingSignals(uintptr_t pc);
// The running thread blocks `mask` from here on, and may take in the same step what it does not
// block: an operation, if somebody may send at any time what changes or what it may take.
void ChangeSignalMask(ThreadWorld& world, SignalSet mask, uintptr_t pc);
// A handler that was left by a jump blocks nothing any more.
void LeaveHandlers(ThreadWorld& world);

// A signal that came from the kernel while the program ran outside heddle's code: runs the
// program's handler when `context` goes on.
void DeliverFromOutside(siginfo_t& info, ucontext_t& context);

}  // namespace heddle::runtime
