// The blocks of the program's heap that were allocated before the first execution, by static
// initialisers mostly, and by which calls: reports name them as they do those of an execution.
//
// Nobody knows by then whether there will be anything to report, so each program pays for this when
// it starts, and only the first of very many are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "channel/records.h"

namespace heddle::runtime {

// The record of a block that was allocated just now, as if by main's thread and before any step;
// with the program's calls that led to it.
channel::BlockRecord BlockOf(uintptr_t address, size_t bytes, bool with_callers);

// Counts as main's thread's. Nothing once KeepEarlyBlocks was called. REQUIRES: no execution runs.
void NoteEarlyBlock(uintptr_t address, size_t bytes);

// Those that were noted; there will be no more.
std::span<const channel::BlockRecord> KeepEarlyBlocks();

}  // namespace heddle::runtime
