// A fork depends on what other threads do to the locks that a child finds (world/child_locks.h). It
// knows those that were used before it; of others it is noted that they were used too late.
#pragma once

namespace heddle::runtime {

// The program has forked beside other threads.
void NoteForked();

// A lock is used for the first time in this execution.
void NoteFirstUse();

}  // namespace heddle::runtime
