#include "runtime/prim/inline_asm.h"

#include "runtime/prim/lifetime.h"

#include <cpuid.h>

// Offsets from the frame's canonical address, which is that of `code`: the flags are at -16, r15 at
// -24 and so on down to rax at -144. Below them, aligned to 64 bytes as XSAVE wants it, the vector
// registers; all of that memory is zeroed first, because XSAVE leaves out what is in its initial
// state, and because who compares the state of a thread (loops/spin.cpp) compares this memory.
// 2688 bytes hold the x87, SSE, AVX and AVX-512 state in the standard format (Intel SDM, volume 1,
// 13.4); PKRU and AMX are not touched by anybody here. XSTATE_BV says which of them were in use,
// and that changes when the kernel lets another process run in between: zeroes are in use before,
// and not after. So all of them are said to be, with 0x37f, the initial x87 control word, where
// XSAVE may have left it out.
asm(R"(
.text
.globl heddle_inline_asm
.type heddle_inline_asm, @function
.p2align 5
heddle_inline_asm:
  .cfi_startproc
  pushfq
  pushq %r15
  pushq %r14
  pushq %r13
  pushq %r12
  pushq %r11
  pushq %r10
  pushq %r9
  pushq %r8
  pushq %rdi
  pushq %rsi
  pushq %rbp
  pushq %rsp
  pushq %rbx
  pushq %rdx
  pushq %rcx
  pushq %rax
  movq %rsp, %rbp
  .cfi_def_cfa %rbp, 144
  .cfi_offset %rbp, -104
  .cfi_offset %rbx, -120
  .cfi_offset %r12, -48
  .cfi_offset %r13, -40
  .cfi_offset %r14, -32
  .cfi_offset %r15, -24
  subq $2688, %rsp
  andq $-64, %rsp
  movq %rsp, %rdi
  movq %rbp, %rcx
  subq %rsp, %rcx
  shrq $3, %rcx
  xorl %eax, %eax
  cld
  rep stosq
  movl heddle_vector_state(%rip), %eax
  xorl %edx, %edx
  testl %eax, %eax
  jz 1f
  xsave64 (%rsp)
  testb $1, 512(%rsp)
  jnz 5f
  movw $0x37f, (%rsp)
5:
  movl %eax, 512(%rsp)
  jmp 2f
1:
  fxsave64 (%rsp)
2:
  movq %rbp, %rdi
  movq %rsp, %rsi
  call heddle_inline_asm_event
  movl heddle_vector_state(%rip), %eax
  xorl %edx, %edx
  testl %eax, %eax
  jz 3f
  xrstor64 (%rsp)
  jmp 4f
3:
  fxrstor64 (%rsp)
4:
  movq %rbp, %rsp
  .cfi_def_cfa %rsp, 144
  popq %rax
  popq %rcx
  popq %rdx
  popq %rbx
  leaq 8(%rsp), %rsp
  popq %rbp
  popq %rsi
  popq %rdi
  popq %r8
  popq %r9
  popq %r10
  popq %r11
  popq %r12
  popq %r13
  popq %r14
  popq %r15
  .cfi_def_cfa_offset 16
  popfq
  .cfi_def_cfa_offset 8
  ret
  .cfi_endproc
.size heddle_inline_asm, .-heddle_inline_asm

.globl heddle_clear_registers
.type heddle_clear_registers, @function
.globl heddle_clear_but_result
.type heddle_clear_but_result, @function
.p2align 5
heddle_clear_registers:
  .cfi_startproc
  pxor %xmm0, %xmm0
  pxor %xmm1, %xmm1
  xorl %eax, %eax
  xorl %edx, %edx
heddle_clear_but_result:
  pxor %xmm2, %xmm2
  pxor %xmm3, %xmm3
  pxor %xmm4, %xmm4
  pxor %xmm5, %xmm5
  pxor %xmm6, %xmm6
  pxor %xmm7, %xmm7
  pxor %xmm8, %xmm8
  pxor %xmm9, %xmm9
  pxor %xmm10, %xmm10
  pxor %xmm11, %xmm11
  pxor %xmm12, %xmm12
  pxor %xmm13, %xmm13
  pxor %xmm14, %xmm14
  pxor %xmm15, %xmm15
  xorl %ecx, %ecx
  xorl %esi, %esi
  xorl %edi, %edi
  xorl %r8d, %r8d
  xorl %r9d, %r9d
  xorl %r10d, %r10d
  xorl %r11d, %r11d
  ret
  .cfi_endproc
.size heddle_clear_registers, .-heddle_clear_registers
)");

extern "C" {
// Of XCR0, what XSAVE keeps; 0: there is only FXSAVE, or nobody has looked yet.
[[gnu::visibility("hidden"), HEDDLE_LASTS("found once")]] unsigned heddle_vector_state = 0;
}

namespace heddle::runtime {

void InitInlineAsm() {
  constexpr unsigned kOsXsave = 1u << 27;
  constexpr unsigned kX87SseAvx = 0x07, kAvx512 = 0xe0;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsXsave) == 0) return;
  unsigned enabled = 0, high = 0;
  asm volatile("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
  heddle_vector_state = enabled & (kX87SseAvx | kAvx512);
}

}  // namespace heddle::runtime
