// The end of an execution at a fault of the program: in which line of the program, and in which
// words. faults.cpp handles the signals.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

namespace heddle::runtime {

inline uintptr_t FaultAddress(const siginfo_t& info) {
  return reinterpret_cast<uintptr_t>(info.si_addr);
}

// Faults being handled; more than one: handling a fault has failed, and the stack cannot be walked.
int FaultsBeingHandled();

// Where the program stands: inside a hook, its call of it. After a jump into the void, where it
// came from if that can be told.
uintptr_t ProgramPlace(const ucontext_t& context, bool executed);
uintptr_t PlaceOfFault(const siginfo_t& info, const ucontext_t& context);

// A breakpoint of a test framework that has printed what failed (docs/cli.md).
bool IsTestBreak(int number);

[[noreturn]] void EndByFault(int number, const siginfo_t& info, const ucontext_t& context);

}  // namespace heddle::runtime
