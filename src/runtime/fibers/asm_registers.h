// The registers of a thread that stands before an instruction of an asm statement. All of them are
// alive there, not only those that a call preserves, so they belong to the state by which a return
// of the thread to the same place is known (recurrence.cpp).
#pragma once

#include <cstdint>

#include "op/operation.h"

namespace heddle::runtime {

// Written by the thread that runs, when it is about to publish an operation of an asm statement;
// read while it publishes.
struct AsmRegisters {
  op::ThreadId thread = op::kNoThread;
  uintptr_t pc = 0;              // of the operation
  const void* lowest = nullptr;  // of what was saved, on the thread's stack
};
extern AsmRegisters g_asm_registers;

}  // namespace heddle::runtime
