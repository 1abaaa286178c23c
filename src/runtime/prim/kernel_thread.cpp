#include "runtime/prim/kernel_thread.h"

#include <sys/syscall.h>

#include "runtime/prim/real.h"
#include "runtime/prim/syscall.h"

// heddle_start_kernel_thread: rdi = stack pointer, rsi = FS base, rdx = where the number goes.
// clone (56) takes flags, stack, parent's and child's place for the number, FS base. The flags are
// those of pthread_create, without the place that is cleared at the end: CLONE_VM 0x100, FS 0x200,
// FILES 0x400, SIGHAND 0x800, THREAD 0x10000, SYSVSEM 0x40000, SETTLS 0x80000, PARENT_SETTID
// 0x100000, CHILD_SETTID 0x1000000. The new thread pops what heddle_switch_context would.
//
// heddle_wake_and_end_thread: rdi = word. futex (202) wakes (FUTEX_WAKE_PRIVATE 129) one sleeper,
// exit (60) ends the thread. Registers only.
asm(R"(
.text
.globl heddle_start_kernel_thread
.hidden heddle_start_kernel_thread
.type heddle_start_kernel_thread, @function
.p2align 5
heddle_start_kernel_thread:
  .cfi_startproc
  movq %rdx, %r10
  movq %rsi, %r8
  movq %rdi, %rsi
  movl $0x11d0f00, %edi
  movl $56, %eax
  syscall
  testq %rax, %rax
  jz 1f
  ret
1:
  .cfi_undefined rip
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
.size heddle_start_kernel_thread, .-heddle_start_kernel_thread

.globl heddle_wake_and_end_thread
.hidden heddle_wake_and_end_thread
.type heddle_wake_and_end_thread, @function
heddle_wake_and_end_thread:
  .cfi_startproc
  movl $1, %eax
  xchgl %eax, (%rdi)
  movl $129, %esi
  movl $1, %edx
  movl $202, %eax
  syscall
  xorl %edi, %edi
  movl $60, %eax
  syscall
  ud2
  .cfi_endproc
.size heddle_wake_and_end_thread, .-heddle_wake_and_end_thread
)");

namespace heddle::runtime {

int* KernelNumberIn(uintptr_t thread_pointer) {
  struct Field {  // as libthread_db reads it
    uint32_t bits;
    uint32_t count;
    uint32_t offset;
  };
  auto* field = static_cast<const Field*>(FindReal("_thread_db_pthread_tid"));
  if (field == nullptr || field->bits != 32) return nullptr;
  return reinterpret_cast<int*>(thread_pointer + field->offset);
}

void KeepStorageAtEnd() {
  constexpr long kRobustListHead = 24;
  RawSyscall(SYS_set_tid_address, 0);
  RawSyscall(SYS_set_robust_list, 0, kRobustListHead);
}

}  // namespace heddle::runtime
