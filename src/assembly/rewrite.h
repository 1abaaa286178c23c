// Puts calls into the assembly that a compiler made of a translation unit: one before every
// instruction of an asm statement that touches memory or is a fence. The compilers do not look into
// asm statements, so ThreadSanitizer's instrumentation passes them by; without these calls a spin
// lock of `lock cmpxchg` would be no scheduling point and no synchronisation.
//
// A call, for `lock; cmpxchgl %edx, 8(%rsp)` in a function whose frame is found by %rsp:
//
//   pushq %rdi; leaq 8+8(%rsp), %rdi; pushq $0; pushq $CODE; .cfi_adjust_cfa_offset 24;
//   call *heddle_inline_asm@GOTPCREL(%rip); .cfi_adjust_cfa_offset -24;
//   leaq 16(%rsp), %rsp; popq %rdi; lock; cmpxchgl %edx, 8(%rsp)
//
// It stands before the first prefix and after any label, on the same line, so that neither line
// numbers nor .loc directives change. CODE is op::AsmAccess; the second number is an immediate
// operand. It goes through the global offset table, because the loader's lazy binding behind a PLT
// changes r10, r11 and the flags. The callee (runtime/prim/inline_asm.cpp) leaves every register
// and flag as it was, and no instruction here changes a flag. A function that calls nothing may
// keep data below its stack pointer (the red zone, System V ABI 3.2.2): there the call steps over
// it.
//
// An asm statement may use any register, so what a call has left in one counts as the thread's
// state there, and a loop would never seem to come back to the same state (runtime/loops/spin.h).
// So after each call of heddle's own functions there is another one, which zeroes the registers
// that a function may change: heddle_clear_registers, or heddle_clear_but_result.
//
// Asm statements are found by the marks that both compilers leave (#APP, #NO_APP); the .cfi, .file,
// .loc and section directives of the rest are followed along.
//
// Tested by tests/unit/assembly_rewrite_test.cpp, and with both compilers by tests/cli.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::assembly {

// Something in an asm statement that heddle does not see.
struct Unseen {
  std::string file;   // as the compiler was given it; empty: unknown
  unsigned line = 0;  // of the statement; 0: unknown
  std::string text;   // the instruction
  std::string why;
};

struct Rewritten {
  std::string text;
  std::vector<Unseen> unseen;
  unsigned calls = 0;
};

// Does `text` have asm statements at all? If not, there is nothing to rewrite.
bool HasAsmStatements(std::string_view text);

Rewritten Rewrite(std::string_view text);

// "a.c:12: rep cmpsb: how far it reads depends on what it finds".
std::string Describe(const Unseen& unseen);

// Directives that record `unseen` in the object (op/asm_access.h).
std::string Notes(const std::vector<Unseen>& unseen);

}  // namespace heddle::assembly
