// A place in the middle of an execution to which the search can go back (--rewind checkpoint):
// where every thread stands before its next operation, before it is decided who goes on.
//
// Whoever keeps checkpoints is called there, on a stack of its own, so that the stacks of all
// threads stand still and can be copied. It copies what Save says, or forks the process, and
// returns: then the execution goes on as if nothing had been. Later, Restore brings back what was
// copied, and ResumeFibers (scheduler.h) returns to the same place once more, under another plan.
#pragma once

#include <cstdint>
#include <span>

#include "base/saved_bytes.h"

namespace heddle::runtime {

// Called where g_state.checkpoint_from says; it sets that anew. Not the program's code: hooks
// forward.
extern void (*g_keep_checkpoint)();

// What g_state.checkpoint_from is when the next execution begins, unless it is set anew then.
extern uint32_t g_first_checkpoint;

// Once, before the first execution that has checkpoints.
void InitCheckpoints();

// Calls g_keep_checkpoint on a stack of its own. REQUIRES: called by the scheduler.
void ReachCheckpoint();

// Can what the execution has done up to here be undone and done again by copying memory? Not if it
// has changed what the kernel keeps.
bool CanSaveProgram();
// All of heddle's and of the program's that belongs to the execution. REQUIRES: called by
// g_keep_checkpoint.
void SaveProgram(base::SavedBytes& to);
// REQUIRES: no execution runs, the memory is as at its beginning (RewindMemory), it was saved on
// the way of the execution that ran last, and StacksVersion is as then.
void RestoreProgram(std::span<const char> saved);

}  // namespace heddle::runtime
