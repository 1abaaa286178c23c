// What the program wants to happen at each signal, as sigaction says it: part of an execution, and
// rewound with it. The kernel is told only what concerns signals from outside.
#pragma once

#include <signal.h>

#include "base/wide_hash.h"
#include "runtime/runtime.h"
#include "runtime/world/thread_world.h"

namespace heddle::runtime {

inline constexpr int kSignals = 65;  // numbers are 1 .. 64

inline constexpr SignalSet Bit(int number) { return SignalSet{1} << (number - 1); }
inline bool IsSignal(int number) { return number > 0 && number < kSignals; }

SignalSet SetOf(const sigset_t& set);
sigset_t SigsetOf(SignalSet set);

inline bool HasHandler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

enum class Default { kIgnore, kStop, kEnd };
Default DefaultOf(int number);
bool IsIgnored(int number);

const struct sigaction& DispositionOf(int number);
// SA_RESETHAND: the handler runs for the last time.
void ResetAction(int number);
// As for sigaction: 0 or -1 and errno.
int SetAction(int number, const struct sigaction* action, struct sigaction* old, uintptr_t pc);
// All of them: what changes one is an operation on it.
Object& ActionsObject();

void RewindSignals();
bool SignalsAreAsAtBegin();  // nothing for RewindSignals to do
void AddSignalActions(base::WideHash& hash);

// Signals whose handler in the kernel is ours whatever the program asks for (faults.h).
bool IsOwnSignal(int number);
void InitSignals();
// In a child that the program forked: from here on the kernel delivers signals, as without heddle.
void HandSignalsBack();

}  // namespace heddle::runtime
