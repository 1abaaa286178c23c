#include "runtime/prim/trapped_call.h"

#include <errno.h>
#include <linux/prctl.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"

// heddle_make_call: stands in for the instruction. MakeCall has put the address behind that one on
// the stack, below the red zone.
// heddle_make_call_elsewhere: the same for calls after which the stack pointer is another one, or
// another process may have changed the stack. None of them is made while another one is.
// heddle_return_from_handler: unwinders and debuggers know the end of a handler by these very
// instructions, if no table has them; the byte before belongs to it for them.
asm(R"(
.text
.globl heddle_make_call
.hidden heddle_make_call
.type heddle_make_call, @function
heddle_make_call:
  .cfi_startproc
  .cfi_def_cfa %rsp, 136
  .cfi_offset %rip, -136
  syscall
  ret $128
  .cfi_endproc
.size heddle_make_call, .-heddle_make_call
.globl heddle_make_call_elsewhere
.hidden heddle_make_call_elsewhere
.type heddle_make_call_elsewhere, @function
heddle_make_call_elsewhere:
  syscall
  jmp *heddle_call_goes_on(%rip)
.size heddle_make_call_elsewhere, .-heddle_make_call_elsewhere
.p2align 4
  nop
.globl heddle_return_from_handler
.hidden heddle_return_from_handler
.type heddle_return_from_handler, @function
heddle_return_from_handler:
  movq $15, %rax
  syscall
.size heddle_return_from_handler, .-heddle_return_from_handler
  nop
)");

extern "C" {
[[gnu::visibility("hidden")]] extern const char heddle_make_call[];
[[gnu::visibility("hidden")]] extern const char heddle_make_call_elsewhere[];
[[gnu::visibility("hidden")]] extern const char heddle_return_from_handler[];
[[gnu::visibility("hidden"), gnu::used,
  HEDDLE_LASTS("during one call")]] greg_t heddle_call_goes_on;
}

namespace heddle::runtime {
namespace {

struct KernelAction {
  const void* handler;
  unsigned long flags;
  const void* restorer;
  uint64_t mask;
};
constexpr unsigned long kHasRestorer = 0x04000000;  // SA_RESTORER, which no header tells

bool LeavesTheStack(long number) {
  return number == SYS_clone || number == SYS_clone3 || number == SYS_vfork ||
         number == SYS_rt_sigreturn;
}

}  // namespace

bool TrapSystemCalls(const bool* on, const void* allowed, const void* end) {
  const auto begin = reinterpret_cast<long>(allowed);
  return RawSyscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, begin,
                    reinterpret_cast<long>(end) - begin, reinterpret_cast<long>(on)) == 0;
}

bool IsTrappedCall(const siginfo_t& info) {
  constexpr int kUserDispatch = 2;  // SYS_USER_DISPATCH, newer than some headers
  return info.si_signo == SIGSYS && info.si_code == kUserDispatch;
}

SystemCall CallIn(const ucontext_t& context) {
  const greg_t* registers = context.uc_mcontext.gregs;
  return {registers[REG_RAX],
          {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
           registers[REG_R8], registers[REG_R9]}};
}

void MakeCall(ucontext_t& context) {
  greg_t* registers = context.uc_mcontext.gregs;
  const greg_t behind = registers[REG_RIP];
  if (LeavesTheStack(registers[REG_RAX])) {
    heddle_call_goes_on = behind;
    registers[REG_RIP] = reinterpret_cast<greg_t>(heddle_make_call_elsewhere);
    return;
  }
  constexpr greg_t kRedZone = 128;
  registers[REG_RSP] -= kRedZone + 8;
  *reinterpret_cast<greg_t*>(registers[REG_RSP]) = behind;
  registers[REG_RIP] = reinterpret_cast<greg_t>(heddle_make_call);
}

void ReturnFromCall(ucontext_t& context) {
  constexpr greg_t kInstruction = 2;  // bytes, of ours as of the program's
  constexpr greg_t kPushed = 128 + 8;
  greg_t* registers = context.uc_mcontext.gregs;
  const greg_t at = registers[REG_RIP] - reinterpret_cast<greg_t>(heddle_make_call);
  if (at != 0 && at != kInstruction) return;
  const greg_t behind = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RIP] = at == 0 ? behind - kInstruction : behind;
  registers[REG_RSP] += kPushed;
}

void AnswerCall(ucontext_t& context, long answer) { context.uc_mcontext.gregs[REG_RAX] = answer; }

// The kernel takes the mask from the frame of the signal when the handler returns.
long ChangeMask(ucontext_t& context, const SystemCall& call, uint64_t never, uint64_t& blocks) {
  uint64_t now, set;
  memcpy(&now, &context.uc_sigmask, sizeof now);
  memcpy(&set, reinterpret_cast<const void*>(call.a[1]), sizeof set);
  if (call.a[2] != 0) memcpy(reinterpret_cast<void*>(call.a[2]), &now, sizeof now);
  blocks = now;
  if (call.a[0] == SIG_BLOCK)
    blocks |= set;
  else if (call.a[0] == SIG_UNBLOCK)
    blocks &= ~set;
  else if (call.a[0] == SIG_SETMASK)
    blocks = set;
  else
    return -EINVAL;
  blocks &= ~never;
  memcpy(&context.uc_sigmask, &blocks, sizeof blocks);
  return 0;
}

long SetKernelAction(int number, const struct sigaction& action) {
  KernelAction to = {};
  to.handler = reinterpret_cast<const void*>(action.sa_sigaction);
  to.flags = static_cast<unsigned long>(action.sa_flags) | kHasRestorer;
  to.restorer = heddle_return_from_handler;
  memcpy(&to.mask, &action.sa_mask, sizeof to.mask);
  return RawSyscall(SYS_rt_sigaction, number, reinterpret_cast<long>(&to), 0, sizeof to.mask);
}

}  // namespace heddle::runtime
