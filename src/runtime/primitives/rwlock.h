// Read-write locks (objects/rwlock.h): lock, trylock, timed and clock lock of either side. Answers
// are what POSIX gives (0 or an errno value). REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/rwlock.h"

namespace heddle::runtime {

Object& FindRwLock(pthread_rwlock_t* lock);

// Without a deadline (virtual nanoseconds) it waits for ever.
int RwLock(pthread_rwlock_t* lock, RwSide side, const uint64_t* deadline, uintptr_t pc);
int RwTryLock(pthread_rwlock_t* lock, RwSide side, uintptr_t pc);
int RwUnlock(pthread_rwlock_t* lock, uintptr_t pc);

// pthread_rwlock_init, published before (life.h), answered `status`; 0: a new lock, free, at this
// address, even if somebody holds the old one (whose unlock is the misuse); that somebody waits for
// it is one. Destroy: a misuse while somebody holds it.
void RwInit(pthread_rwlock_t* lock, int status, uintptr_t pc);
int RwDestroy(pthread_rwlock_t* lock, uintptr_t pc);

}  // namespace heddle::runtime
