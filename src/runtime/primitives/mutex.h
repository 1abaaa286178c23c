// Mutexes (objects/mutex.h): lock, trylock, timed and clock lock. Answers are what POSIX gives (0
// or an errno value). REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

// The record of the mutex; its type is read from the program's memory at the first touch.
Object& FindMutex(pthread_mutex_t* mutex);

int MutexLock(pthread_mutex_t* mutex, uintptr_t pc);
int MutexTryLock(pthread_mutex_t* mutex, uintptr_t pc);
// `deadline` in virtual nanoseconds.
int MutexTimedLock(pthread_mutex_t* mutex, uint64_t deadline, uintptr_t pc);
int MutexUnlock(pthread_mutex_t* mutex, uintptr_t pc);

// pthread_mutex_init, published before (life.h), answered `status`; 0: a new mutex, free, at this
// address, even if a thread holds the old one (its unlock is the misuse, if nothing else shows
// before); that threads wait for the old one is a misuse. Destroying a locked one ends
// the execution as a misuse (EBUSY for the kinds that check). Consistent: EINVAL if not robust.
void MutexInit(pthread_mutex_t* mutex, int status, uintptr_t pc);
int MutexDestroy(pthread_mutex_t* mutex, uintptr_t pc);
int MutexConsistent(pthread_mutex_t* mutex);

}  // namespace heddle::runtime
