// Barriers. Arriving is a visible operation; leaving is a local step, done as soon as the last has
// arrived. The last to arrive is the one that is told PTHREAD_BARRIER_SERIAL_THREAD. Everybody who
// leaves learns what everybody did before. Answers are what POSIX gives. REQUIRES for all:
// InExecution().
#pragma once

#include <pthread.h>

#include <cstdint>

namespace heddle::runtime {

int BarrierWait(pthread_barrier_t* barrier, uintptr_t pc);

// pthread_barrier_init ran: a new barrier at this address. Destroy: a misuse while somebody waits
// at it.
void BarrierInit(pthread_barrier_t* barrier, uintptr_t pc);
int BarrierDestroy(pthread_barrier_t* barrier, uintptr_t pc);

}  // namespace heddle::runtime
