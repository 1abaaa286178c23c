#include "runtime/prim/context.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"

// rdi = where to save the stack pointer, rsi = stack pointer to continue with, rdx = FS base: the
// address of a word that holds this address, so the present one is read there. It is set only where
// it differs, which is a system call where user code may not do it (5 us in some virtual machines).
// The control words of floating point are loaded only where they differ: loading waits for all
// arithmetic, comparing does not.
asm(R"(
.text
.globl heddle_switch_context
.hidden heddle_switch_context
.type heddle_switch_context, @function
.p2align 5
heddle_switch_context:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %r8d
  movzwl 4(%rsp), %r9d
  movq %rsp, (%rdi)
  cmpq %fs:0, %rdx
  je 2f
  cmpb $0, heddle_have_fsgsbase(%rip)
  je 1f
  wrfsbase %rdx
2:
  movq %rsi, %rsp
  cmpl %r8d, (%rsp)
  jne 4f
3:
  cmpw %r9w, 4(%rsp)
  jne 6f
5:
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
1:
  movq %rsi, %r12
  movq %rdx, %rsi
  movl $0x1002, %edi
  movl $158, %eax
  syscall
  movq %r12, %rsi
  jmp 2b
4:
  ldmxcsr (%rsp)
  jmp 3b
6:
  fldcw 4(%rsp)
  jmp 5b
  .cfi_endproc
.size heddle_switch_context, .-heddle_switch_context

.globl heddle_fiber_entry
.hidden heddle_fiber_entry
.type heddle_fiber_entry, @function
heddle_fiber_entry:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%r13
  ud2
  .cfi_endproc
.size heddle_fiber_entry, .-heddle_fiber_entry
)");

extern "C" {
void heddle_fiber_entry();
[[gnu::visibility("hidden"), HEDDLE_LASTS("found once")]] unsigned char heddle_have_fsgsbase = 0;
}

namespace heddle::runtime {

void InitSwitching() {
  constexpr unsigned long kHwcap2FsGsBase = 1ul << 1;  // HWCAP2_FSGSBASE, Linux 5.9
  heddle_have_fsgsbase = (getauxval(AT_HWCAP2) & kHwcap2FsGsBase) != 0;
}

uintptr_t ReadThreadPointer() {
  uintptr_t base;
  asm("movq %%fs:0, %0" : "=r"(base));  // the TCB begins with a pointer to itself
  return base;
}

namespace {

// As heddle_switch_context keeps them.
uint64_t ControlWords() {
  uint32_t mxcsr;
  uint16_t x87;
  asm("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
  return uint64_t{x87} << 32 | mxcsr;
}

}  // namespace

void* PrepareStack(char* stack_end, void (*entry)(void*), void* argument) {
  // As heddle_switch_context pops them: control words, r15, r14, r13, r12, rbx, rbp, return
  // address; then the stack must be aligned to 16 where heddle_fiber_entry calls.
  auto* top = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(stack_end) & ~uintptr_t{15});
  *--top = 0;
  *--top = 0;
  *--top = reinterpret_cast<uint64_t>(&heddle_fiber_entry);
  *--top = 0;                                     // rbp
  *--top = 0;                                     // rbx
  *--top = reinterpret_cast<uint64_t>(argument);  // r12
  *--top = reinterpret_cast<uint64_t>(entry);     // r13
  *--top = 0;                                     // r14
  *--top = 0;                                     // r15
  *--top = ControlWords();
  return top;
}

}  // namespace heddle::runtime
