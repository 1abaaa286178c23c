// POSIX spin locks: mutexes of the simplest kind. A thread that would spin waits, and costs nothing
// meanwhile. Answers are what POSIX gives (0 or an errno value). REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

namespace heddle::runtime {

int SpinLock(pthread_spinlock_t* lock, uintptr_t pc);
int SpinTryLock(pthread_spinlock_t* lock, uintptr_t pc);
int SpinUnlock(pthread_spinlock_t* lock, uintptr_t pc);

// pthread_spin_init ran: a new, free lock at this address.
void SpinInit(pthread_spinlock_t* lock);

}  // namespace heddle::runtime
