// POSIX spin locks (objects/spin_lock.h). Answers are what POSIX gives (0 or an errno value).
// REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

Object& FindSpinLock(pthread_spinlock_t* lock);

int SpinLock(pthread_spinlock_t* lock, uintptr_t pc);
int SpinTryLock(pthread_spinlock_t* lock, uintptr_t pc);
int SpinUnlock(pthread_spinlock_t* lock, uintptr_t pc);

// pthread_spin_init, published before (life.h), answered `status`; 0: a new, free lock at this
// address: whoever holds the old one misuses it by its unlock. Destroy: a misuse while somebody
// holds it.
void SpinInit(pthread_spinlock_t* lock, int status, uintptr_t pc);
int SpinDestroy(pthread_spinlock_t* lock, uintptr_t pc);

}  // namespace heddle::runtime
