// Signals of the program. Inside an execution a signal that the program sends to itself is
// delivered by us, where it is sent: handlers, masks, pending signals and waits for signals are
// states of the execution and rewound with it. Only what comes from outside (a child that ends, a
// broken pipe) is delivered by the kernel.
//
// What differs from the kernel: a handler runs with no more signals blocked than before, and a
// signal handler never interrupts another thread.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <cstdint>

#include "base/wide_hash.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

void InitSignals();
void RewindSignals();
bool SignalsAreAsAtBegin();  // nothing for RewindSignals to do
// What the process has pending, and what it wants to happen at signals, as part of a state.
void AddSignals(base::WideHash& hash);

// Signals whose handler in the kernel is ours whatever the program asks for (faults.h).
bool IsOwnSignal(int number);
// What the program wants to happen at `number`.
const struct sigaction& DispositionOf(int number);

// The program's calls, with their answers: 0 or -1 and errno as for the functions of that name,
// except where noted.
int SetAction(int number, const struct sigaction* action, struct sigaction* old);
int SetMask(int how, const sigset_t* set, sigset_t* old, uintptr_t pc);  // answers an errno value
int SetAlternateStack(const stack_t* stack, stack_t* old);
int Raise(int number, uintptr_t pc);                           // to the running thread; errno value
int SendToProcess(int number, uintptr_t pc);                   // to this process; errno value
int SendToThread(pthread_t thread, int number, uintptr_t pc);  // errno value
SignalSet PendingSignals();
// Waits for one of `set`, at most until `deadline` (virtual; null: no limit). Its number, or 0 when
// time ran out.
int WaitForSignal(SignalSet set, const uint64_t* deadline, uintptr_t pc);
// Whether `fiber`, which stands before kSignalWait, can go on.
bool SignalHasCome(const Fiber& fiber);
// pause and sigsuspend: waits until a handler ran, with `mask` blocked meanwhile.
void Suspend(SignalSet mask, uintptr_t pc);

SignalSet SetOf(const sigset_t& set);
sigset_t SigsetOf(SignalSet set);

// A signal that came from the kernel while the program ran outside heddle's code: runs the
// program's handler when `context` goes on.
void DeliverFromOutside(siginfo_t& info, ucontext_t& context);

// In a child that the program forked: from here on the kernel delivers signals, as without heddle.
void HandSignalsBack();

}  // namespace heddle::runtime
