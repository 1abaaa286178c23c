// The registers that a function keeps for its caller, by the calling convention (psABI, 3.2.1),
// without the stack pointer.
#pragma once

#include "runtime/prim/decode.h"

namespace heddle::runtime {

struct KeptRegister {
  int machine;   // as instructions number it
  int unwinder;  // as _Unwind_GetGR takes it (DWARF)
};
inline constexpr KeptRegister kKeptFramePointer = {kFramePointer, 6};
inline constexpr KeptRegister kKeptRegisters[] = {{3, 3},   kKeptFramePointer, {12, 12}, {13, 13},
                                                  {14, 14}, {15, 15}};  // rbx rbp r12-r15

}  // namespace heddle::runtime
