// Mutexes: normal, recursive, error-checking and robust ones. Their statuses are what POSIX gives
// (0 or an errno value).
#pragma once

#include <pthread.h>

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

MutexState FreeMutex();

inline bool IsFree(const MutexState& mutex) { return mutex.owner == op::kNoThread; }

// Is a misuse of it an error that the call answers?
bool Checks(const MutexState& mutex);

// Would locking return? If the thread owns the mutex, it nests, or fails.
inline bool CanLock(const MutexState& mutex, op::ThreadId self) {
  return IsFree(mutex) || (mutex.owner == self && mutex.type != PTHREAD_MUTEX_NORMAL);
}

// REQUIRES: CanLock.
Answer LockMutex(MutexState& mutex, op::ThreadId self);
Answer TryLockMutex(MutexState& mutex, op::ThreadId self);
Answer UnlockMutex(MutexState& mutex, op::ThreadId self);

// A wait for a condition variable gives up one level, like glibc: a recursive mutex that is held
// twice stays locked. REQUIRES: `self` owns it.
Answer GiveUpMutex(MutexState& mutex);
// At its end it takes it again. REQUIRES: it is free, or `self` owns it.
Answer TakeMutexAgain(MutexState& mutex, op::ThreadId self);

// A new mutex at this address, free even if a thread holds the old one: its unlock is the misuse,
// if nothing else shows before.
void InitialiseMutex(MutexState& mutex, op::ThreadId self);
// Of a locked mutex: EBUSY for the kinds that check, a misuse for others.
Answer DestroyMutex(const MutexState& mutex);
// pthread_mutex_consistent: 0 or EINVAL.
int MakeConsistent(MutexState& mutex, op::ThreadId self);
// The owner of a robust mutex has ended: who locks it next is told.
Answer OwnerEnded(MutexState& mutex);

}  // namespace heddle::runtime
