// The machine state that the kernel hands to a signal handler, x86-64.
#pragma once

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <initializer_list>

#include "runtime/prim/copy.h"

namespace heddle::runtime {

inline uintptr_t ProgramCounter(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
}
inline uintptr_t StackPointer(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
}

// Of a page fault: what was tried.
inline bool FaultWasWrite(const ucontext_t& context) {
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
}
inline bool FaultWasExecution(const ucontext_t& context) {
  return (context.uc_mcontext.gregs[REG_ERR] & 16) != 0;
}

// The pointer was one that the machine cannot even translate (not canonical).
inline bool FaultHasNoAddress(const siginfo_t& info) { return info.si_code == SI_KERNEL; }

// Did the signal end a system call in which the thread waited? REQUIRES: the handler was installed
// without SA_RESTART.
inline bool WasWaitingInSystemCall(const ucontext_t& context) {
  constexpr greg_t kInterrupted = -EINTR;
  if (context.uc_mcontext.gregs[REG_RAX] != kInterrupted) return false;
  const auto* code = reinterpret_cast<const unsigned char*>(ProgramCounter(context));
  return code[-2] == 0x0f && code[-1] == 0x05;
}

// The function that the call behind which `return_address` lies is of. 0: there is no call, or none
// that has the address in itself. REQUIRES: not at the begin of a mapping.
inline uintptr_t DirectlyCalled(uintptr_t return_address) {
  constexpr char kCall = '\xe8';
  const auto* end = reinterpret_cast<const char*>(return_address);
  if (end[-5] != kCall) return 0;
  return return_address + static_cast<uintptr_t>(LoadAt<int32_t>(end - 4));
}

// Calls visit(value) for each of the registers: those that a function keeps for its caller, or all
// general ones.
template <typename F>
void VisitKeptRegisters(const ucontext_t& context, F visit) {
  for (const int number : {REG_RBX, REG_RBP, REG_RSP, REG_R12, REG_R13, REG_R14, REG_R15})
    visit(static_cast<uint64_t>(context.uc_mcontext.gregs[number]));
}
template <typename F>
void VisitRegisters(const ucontext_t& context, F visit) {
  for (int number = REG_R8; number <= REG_RSP; ++number)
    visit(static_cast<uint64_t>(context.uc_mcontext.gregs[number]));
}

// And the vector registers, as the kernel saved them: the low halves.
template <typename F>
void VisitVectorRegisters(const ucontext_t& context, F visit) {
  if (context.uc_mcontext.fpregs == nullptr) return;
  for (const auto& reg : context.uc_mcontext.fpregs->_xmm)
    for (const uint32_t element : reg.element) visit(uint64_t{element});
}

// At a call: its first argument and where it returns to.
inline uintptr_t FirstArgument(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RDI]);
}
inline uintptr_t ReturnAddress(const ucontext_t& context) {
  return *reinterpret_cast<const uintptr_t*>(StackPointer(context));
}

// Lets the interrupted code go on for one instruction at a time, with a SIGTRAP after each.
inline void SetSingleStep(ucontext_t& context, bool on) {
  constexpr greg_t kTrapFlag = 0x100;
  greg_t& flags = context.uc_mcontext.gregs[REG_EFL];
  flags = on ? flags | kTrapFlag : flags & ~kTrapFlag;
}

// Changes `context` so that returning from the current handler enters `action`'s handler as if the
// kernel had delivered the signal on the stack that ends at `stack`; when that handler returns, the
// interrupted code goes on. `stack` 0: below what the interrupted code uses of its own stack.
void EnterHandler(ucontext_t& context, const siginfo_t& info, const struct sigaction& action,
                  uintptr_t stack);

}  // namespace heddle::runtime
