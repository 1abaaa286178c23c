// What glibc keeps in its objects, where we must read it because the program may have initialised
// them statically. Layouts of glibc 2.34 and later on x86-64 (sysdeps/nptl/bits/struct_mutex.h and
// its neighbours, all public headers).
#pragma once

#include <pthread.h>
#include <semaphore.h>

namespace heddle::runtime {

// PTHREAD_MUTEX_NORMAL, _RECURSIVE or _ERRORCHECK; adaptive mutexes are normal ones.
inline int MutexTypeOf(const pthread_mutex_t& mutex) {
  const int type = mutex.__data.__kind & 3;
  return type == PTHREAD_MUTEX_ADAPTIVE_NP ? static_cast<int>(PTHREAD_MUTEX_NORMAL) : type;
}
inline bool IsRobust(const pthread_mutex_t& mutex) { return (mutex.__data.__kind & 16) != 0; }

// pthread_condattr_setclock(CLOCK_MONOTONIC) was in force.
inline bool WaitsByMonotonicClock(const pthread_cond_t& condition) {
  return (condition.__data.__wrefs & 2) != 0;
}

inline bool PrefersWriters(const pthread_rwlock_t& lock) {
  return lock.__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

// The semaphore's value is in the low half of its first word, how many wait in the high half.
inline unsigned SemaphoreValueIn(const sem_t& semaphore) {
  return static_cast<unsigned>(*reinterpret_cast<const unsigned long*>(&semaphore));
}

// struct pthread_barrier { unsigned in, current_round, count; int shared; unsigned out; }
inline unsigned BarrierCountIn(const pthread_barrier_t& barrier) {
  return reinterpret_cast<const unsigned*>(&barrier)[2];
}

// What pthread_once keeps in its control word.
inline constexpr int kOnceNotBegun = 0;
inline constexpr int kOnceRunning = 1;
inline constexpr int kOnceDone = 2;

}  // namespace heddle::runtime
