// Barriers (objects/barrier.h). Arriving is a visible operation; leaving is a local step, done as
// soon as the last has arrived. Answers are what POSIX gives. REQUIRES for all: InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

Object& FindBarrier(pthread_barrier_t* barrier);

int BarrierWait(pthread_barrier_t* barrier, uintptr_t pc);

// pthread_barrier_init, published before (life.h), answered `status`; 0: a new barrier at this
// address. Both are a misuse while somebody waits at it.
void BarrierInit(pthread_barrier_t* barrier, int status, uintptr_t pc);
int BarrierDestroy(pthread_barrier_t* barrier, uintptr_t pc);

}  // namespace heddle::runtime
