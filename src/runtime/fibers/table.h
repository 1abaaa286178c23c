// The threads of the program: numbering by creation path, and the records.
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

inline constexpr uint32_t kMaxFibers = 1u << 20;  // address space only; not a limit anybody meets

extern Fiber* g_fibers;  // kMaxFibers records, reserved

// Reserves the records and reads the names that earlier processes of this search (or a replay file)
// gave.
void InitFiberTable();

// A child process ran an execution: reads the names that it gave.
void SyncFiberTable();

// The number of the n-th child (from 1) of `parent`: the one it got when the search first met that
// path, or a new one.
uint32_t NumberOfChild(uint32_t parent, uint32_t child);

// Highest number used in this execution, plus one. Records from there on mean nothing.
extern uint32_t g_used_fibers;
// Numbers in use, in any execution so far.
extern uint32_t g_fiber_count;

// Begins a thread in this execution: clears the record.
Fiber& BeginFiber(uint32_t number, uint32_t parent);

}  // namespace heddle::runtime
