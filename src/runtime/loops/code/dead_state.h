// What of a thread's state cannot matter any more where it stands: registers and memory that its
// code overwrites on every path before it reads them. A loop that waits leaves there what it found
// the last time: in a copy that others never look at, or, without optimisation, in temporaries.
//
// Read off the machine's code, from the return of the operation at which the loop waits: every path
// is followed until the place is overwritten, or that operation is reached again. Whatever is not
// understood (an instruction, a call, a read through a pointer) reads everything. So what is called
// dead is dead, and what is not may be. The counters of the loop (round_counters.h) are left out of
// a state, too.
#pragma once

#include <cstdint>

#include "runtime/loops/code/stack_range.h"

namespace heddle::runtime {

inline constexpr uint32_t kDeadRanges = 16;

struct DeadRange {
  int64_t begin;  // an address, or relative to the stack pointer after the operation
  uint32_t size;
  bool on_stack;
};

struct DeadState {
  uintptr_t pc = 0;
  int64_t frame = 0;       // rbp relative to the stack pointer; kNoFrame: it holds something else
  uint16_t registers = 0;  // bit n: the register with the machine's number n
  uint32_t count = 0;
  DeadRange ranges[kDeadRanges] = {};
  const char* calls = nullptr;  // see CallOutsideOfLoop (calls_of_round.h)
  bool run_out = false;         // see RoundCounters
};

// But for its calls and counters. `harmless` tells of the target of a call whether it reads nothing
// that the caller's code could have written, and returns.
DeadState FindDead(uintptr_t pc, int64_t frame, bool (*harmless)(uintptr_t target));

// Both for code of the program, kept. Not on the way of an event.
const DeadState& DeadAt(uintptr_t pc, int64_t frame);

// The ranges where a thread stands.
struct DeadMemory {
  const char* calls = nullptr;  // as in DeadState
  bool run_out = false;
  uint32_t count = 0;
  struct {
    uintptr_t begin, end;
  } ranges[kDeadRanges];

  bool Has(uintptr_t address, uint64_t size) const {
    for (uint32_t i = 0; i < count; ++i)
      if (address >= ranges[i].begin && address + size <= ranges[i].end) return true;
    return false;
  }
  bool Touches(uintptr_t address, uint64_t size) const {
    for (uint32_t i = 0; i < count; ++i)
      if (address < ranges[i].end && ranges[i].begin < address + size) return true;
    return false;
  }
};

}  // namespace heddle::runtime
