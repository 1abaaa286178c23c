// Signals of the program. Inside an execution a signal that the program sends to itself is
// delivered by us, where it is sent: handlers, masks, pending signals and waits for signals are
// states of the execution and rewound with it. Only what comes from outside (a child that ends, a
// broken pipe) is delivered by the kernel.
//
// A thread that raises a signal takes it at once, and so does the only thread that can take one
// sent to the process. All others come at some time (docs/algorithms/signals.md):
//
//   * Sending makes the signal pending: in the process, or in one thread. These are objects.
//   * A thread that does not block all such signals *looks for signals* before each of its
//     operations, a step that reads the two. Where one is pending, it is a choice whether the
//     thread takes it, or goes on with it pending, and, where its call would have to wait and the
//     handler ends it, whether it is in that call: then it answers EINTR.
//   * To block or to unblock such a signal, to wait for one, to end, and to change what a signal
//     does beside other threads are operations on the same objects.
//   * A thread that waits when the signal comes need not be looked at: it might as well have stood
//     before its look. Only where nothing else can go on it takes the signal there.
//
// To look costs much, so it is for the signals only that some execution has sent in this way
// (NeedSignal, visible.h).
//
// What differs from the kernel: a handler that interrupts a thread runs before one of its
// operations, not between plain accesses (Incomplete::kHandlerAccess); while a thread waits to be
// woken, only at last (kHandlerInWait); real-time signals are not queued.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <cstdint>

#include "base/wide_hash.h"
#include "runtime/fibers/outside.h"
#include "runtime/runtime.h"
#include "runtime/world/signal_actions.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

// What the process has pending, and what it wants to happen at signals, as part of a state.
void AddSignals(base::WideHash& hash);

// The program's calls, with their answers: 0 or -1 and errno as for the functions of that name,
// except where noted.
int SetMask(int how, const sigset_t* set, sigset_t* old, uintptr_t pc);  // answers an errno value
int SetAlternateStack(const stack_t* stack, stack_t* old);
int Raise(int number, uintptr_t pc);                           // to the running thread; errno value
int SendToProcess(int number, uintptr_t pc);                   // to this process; errno value
int SendToThread(pthread_t thread, int number, uintptr_t pc);  // errno value
SignalSet PendingSignals(uintptr_t pc);
// Waits for one of `set`, at most until `deadline` (virtual; null: no limit). Its number; 0 when
// time ran out; -1 when the handler of another one interrupts it.
int WaitForSignal(SignalSet set, const uint64_t* deadline, Interrupts interrupts, uintptr_t pc);
// Whether `fiber`, which stands before kSignalWait, can go on.
bool SignalHasCome(const Fiber& fiber);
// What the scheduler asks (fibers/outside.h).
bool LooksForSignals(const Fiber& fiber);
bool LookForSignals(const op::Operation& next, Object* object, Interrupts interrupts, bool waits);
void EndSignals();
// pause and sigsuspend: waits until a handler ran, with `mask` blocked meanwhile.
void Suspend(SignalSet mask, uintptr_t pc);

}  // namespace heddle::runtime
