// The call that heddle-cc puts before an instruction of an asm statement (assembly/rewrite.h), at
// the level of the machine: an asm statement does not know that anything is called, so the call
// keeps every register and flag. It saves all of them on the caller's stack, where the runtime can
// read them, too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// What lies on the caller's stack during the call, from lower addresses up.
struct AsmFrame {
  uint64_t registers[16];  // as the machine numbers them; [4] is no stack pointer, and [7] (rdi) is
                           // the effective address
  uint64_t flags;
  uint64_t return_address;
  uint64_t code;       // op::AsmAccess
  uint64_t immediate;  // its operand, if op::kAsmImmediate
  uint64_t rdi;

  // A general register as it was before the call.
  uint64_t Register(unsigned number) const {
    constexpr unsigned kStackPointer = 4, kDestination = 7;
    if (number == kDestination) return rdi;
    if (number == kStackPointer) return reinterpret_cast<uintptr_t>(&rdi + 1);
    return registers[number];
  }
};

// Finds out which vector registers there are. REQUIRES: called before the first execution; until
// then only those are kept that heddle's own code can change.
void InitInlineAsm();

}  // namespace heddle::runtime
