// Read-write locks. Readers come in while nobody writes, even if a writer waits: glibc's default,
// and the kind that admits the most interleavings. One thread may read several times; a writer that
// locks again is told EDEADLK.
//
// A writer learns what writers and readers before it did, a reader what writers did: readers do not
// synchronise with one another. Statuses are what POSIX gives (0 or an errno value).
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

enum class RwSide : bool { kRead, kWrite };

RwLockState FreeRwLock();

bool CanLock(const RwLockState& lock, RwSide side, op::ThreadId self);

// REQUIRES: CanLock. A thread that reads for the first time is noted in `bump`.
Answer LockRwLock(RwLockState& lock, RwSide side, op::ThreadId self, trace::Bump& bump);
Answer TryLockRwLock(RwLockState& lock, RwSide side, op::ThreadId self, trace::Bump& bump);
bool Holds(const RwLockState& lock, op::ThreadId self);
Answer UnlockRwLock(RwLockState& lock, op::ThreadId self);

Answer DestroyRwLock(const RwLockState& lock);

}  // namespace heddle::runtime
