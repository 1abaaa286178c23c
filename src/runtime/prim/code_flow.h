// How code goes on behind an instruction of x86-64, whichever it is: its length, and where a jump
// or call leads. decode.h says more, of fewer instructions.
#pragma once

#include <cstdint>

#include "runtime/prim/decode.h"

namespace heddle::runtime {

struct CodeFlow {
  Flow flow = Flow::kUnknown;
  uintptr_t next = 0;    // the instruction behind it
  uintptr_t target = 0;  // of a jump, branch or call; 0: read from memory or a register
};

// Of the instruction at `pc`. A jump to nobody knows where is kUnknown. Intel's manual, volume 2,
// appendix A, has the maps of opcodes. Reads no byte beyond the instruction.
CodeFlow FlowAt(uintptr_t pc);

}  // namespace heddle::runtime
