// What an instruction of x86-64 reads and writes, as far as fibers/dead_state needs it: the moves,
// comparisons, jumps and calls that loops are made of. Everything else is answered by "unknown".
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline constexpr int kNoRegister = -1;
inline constexpr int kStackPointer = 4, kFramePointer = 5;  // as the machine numbers registers

// A memory operand: base + displacement; more than that is `elsewhere`.
struct MemoryOperand {
  bool relative = false;   // to the next instruction: `displacement` is the address
  bool elsewhere = false;  // an address that the instruction alone does not tell
  int base = kNoRegister;
  int64_t displacement = 0;
  uint8_t size = 0;
  bool read = false;
  bool written = false;  // all of it
};

enum class Flow : uint8_t { kUnknown, kNext, kJump, kBranch, kCall };

struct Instruction {
  Flow flow = Flow::kUnknown;
  // Registers: bit n is the one with the number n.
  uint16_t reads = 0;    // also those of which it changes a part
  uint16_t writes = 0;   // those of which nothing stays
  uint16_t changes = 0;  // all or a part
  MemoryOperand memory;
  uintptr_t next = 0;
  uintptr_t target = 0;  // of a jump, branch or call
};

// The instruction at `pc`. Reads no byte beyond it.
Instruction Decode(uintptr_t pc);

}  // namespace heddle::runtime
