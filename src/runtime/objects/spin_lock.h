// Spin locks: mutexes of the simplest kind. A thread that would spin waits, and costs nothing
// meanwhile. Statuses are 0 or an errno value.
#pragma once

#include "runtime/objects/mutex.h"

namespace heddle::runtime {

// REQUIRES: it is free.
Answer LockSpinLock(MutexState& lock, op::ThreadId self);
Answer TryLockSpinLock(MutexState& lock, op::ThreadId self);
Answer UnlockSpinLock(MutexState& lock, op::ThreadId self);

Answer DestroySpinLock(const MutexState& lock);

}  // namespace heddle::runtime
