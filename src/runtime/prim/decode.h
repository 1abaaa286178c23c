// What an instruction of x86-64 reads and writes, as far as runtime/loops needs it: the moves,
// arithmetic, comparisons, jumps and calls that loops and the ends of functions are made of.
// Everything else is answered by "unknown".
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
  int index = kNoRegister;
  int64_t displacement = 0;
  uint8_t size = 0;
  bool read = false;
  bool written = false;  // all of it
};

enum class Flow : uint8_t {
  kUnknown,
  kNext,
  kJump,
  kBranch,
  kCall,
  kReturn,
  kEnd,  // ud2, hlt: does not go on
};

enum class Flags : uint8_t { kKept, kChanged, kWritten };

struct Instruction {
  Flow flow = Flow::kUnknown;
  // Registers: bit n is the one with the number n.
  uint16_t reads = 0;    // also those of which it changes a part
  uint16_t writes = 0;   // those of which nothing stays
  uint16_t changes = 0;  // all or a part
  bool reads_flags = false;
  Flags flags = Flags::kKept;  // what it does to them: kChanged leaves some as they were
  // The bits of the result are some of the value's, or none, wherever they are now (and, shifts,
  // not); or are mixed with another's (or, xor).
  bool picks_bits = false, mixes_bits = false;
  // What it adds to the stack pointer (push, pop, add or sub of a number). Of a call or a return
  // the return address is not counted. The memory operand is relative to the stack pointer before.
  int64_t stack_shift = 0;
  bool leaves_frame = false;  // leave: the stack pointer is then the frame pointer before, plus 8
  MemoryOperand memory;
  uintptr_t next = 0;
  uintptr_t target = 0;  // of a jump, branch or call
};

// The instruction at `pc`. Reads no byte beyond it.
Instruction Decode(uintptr_t pc);

}  // namespace heddle::runtime
