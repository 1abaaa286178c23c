// The threads of the program: numbering by creation path, and the records.
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"
#include "runtime/fibers/trace_buffers.h"

namespace heddle::runtime {

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

// How many threads have not finished.
extern uint32_t g_live_threads;
inline uint32_t LiveThreads() { return g_live_threads; }

// Begins a thread in this execution: clears the record.
Fiber& BeginFiber(uint32_t number, uint32_t parent);

}  // namespace heddle::runtime
