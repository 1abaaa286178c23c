#include "runtime/prim/machine.h"

#include <string.h>
#include <sys/syscall.h>

#include <cstddef>

#include "runtime/prim/syscall.h"

namespace heddle::runtime {
namespace {

// The kernel's struct ucontext is the beginning of glibc's, with a mask of 64 signals.
constexpr size_t kKernelContextBytes = offsetof(ucontext_t, uc_sigmask) + 8;
constexpr uintptr_t kRedZone = 128;  // bytes below the stack pointer that code may use (psABI)

// How much floating-point state the kernel saved: struct _fpx_sw_bytes in the last 48 bytes of the
// legacy area says.
size_t FloatStateBytes(const void* state) {
  constexpr uint32_t kExtended = 0x46505853;
  uint32_t words[2];
  memcpy(words, static_cast<const char*>(state) + 464, sizeof words);
  return words[0] == kExtended ? words[1] : 512;
}

struct KernelAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};

// The code that returns from a handler: libc's, as the kernel knows it from the installed action.
void* Restorer(int number) {
  KernelAction action = {};
  RawSyscall(SYS_rt_sigaction, number, 0, reinterpret_cast<long>(&action), sizeof action.mask);
  return action.restorer;
}

}  // namespace

void EnterHandler(ucontext_t& context, const siginfo_t& info, const struct sigaction& action,
                  uintptr_t stack) {
  greg_t* registers = context.uc_mcontext.gregs;
  uintptr_t top = stack != 0 ? stack : StackPointer(context) - kRedZone;

  // From high to low, as the kernel lays it out: floating-point state, siginfo, context, return
  // address.
  void* const state = context.uc_mcontext.fpregs;
  if (state != nullptr) {
    const size_t bytes = FloatStateBytes(state);
    top = (top - bytes) & ~uintptr_t{63};
    memcpy(reinterpret_cast<void*>(top), state, bytes);
  }
  const uintptr_t state_copy = top;
  top = (top - sizeof(siginfo_t)) & ~uintptr_t{15};
  auto* info_copy = reinterpret_cast<siginfo_t*>(top);
  memcpy(info_copy, &info, sizeof info);
  top = (top - sizeof(ucontext_t)) & ~uintptr_t{15};
  auto* context_copy = reinterpret_cast<ucontext_t*>(top);
  memset(context_copy, 0, sizeof *context_copy);
  memcpy(context_copy, &context, kKernelContextBytes);
  if (state != nullptr) context_copy->uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(state_copy);
  SetSingleStep(*context_copy, false);
  top -= sizeof(void*);
  *reinterpret_cast<void**>(top) = Restorer(info.si_signo);

  registers[REG_RIP] = reinterpret_cast<greg_t>(action.sa_sigaction);
  registers[REG_RSP] = static_cast<greg_t>(top);
  registers[REG_RDI] = info.si_signo;
  registers[REG_RSI] = reinterpret_cast<greg_t>(info_copy);
  registers[REG_RDX] = reinterpret_cast<greg_t>(context_copy);
  registers[REG_RAX] = 0;
  constexpr greg_t kDirectionFlag = 0x400;
  registers[REG_EFL] &= ~kDirectionFlag;
  SetSingleStep(context, false);
}

}  // namespace heddle::runtime
