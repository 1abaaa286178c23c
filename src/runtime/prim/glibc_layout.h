// What glibc keeps in its objects, where we must read it because the program may have initialised
// them statically. Layouts of glibc 2.34 and later on x86-64 (sysdeps/nptl/bits/struct_mutex.h and
// its neighbours, all public headers).
#pragma once

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

namespace heddle::runtime {

// PTHREAD_MUTEX_NORMAL, _RECURSIVE or _ERRORCHECK; adaptive mutexes are normal ones.
inline int MutexTypeOf(const pthread_mutex_t& mutex) {
  const int type = mutex.__data.__kind & 3;
  return type == PTHREAD_MUTEX_ADAPTIVE_NP ? static_cast<int>(PTHREAD_MUTEX_NORMAL) : type;
}
inline bool IsRobust(const pthread_mutex_t& mutex) { return (mutex.__data.__kind & 16) != 0; }

// How often the kernel's thread `thread` has locked it, by glibc's own functions.
inline unsigned HoldsOf(const pthread_mutex_t& mutex, int thread) {
  if (mutex.__data.__lock == 0 || mutex.__data.__owner != thread) return 0;
  return mutex.__data.__count == 0 ? 1 : mutex.__data.__count;
}

// As if no thread held it.
inline void StoreUnlocked(pthread_mutex_t& mutex) {
  mutex.__data.__lock = 0;
  mutex.__data.__count = 0;
  mutex.__data.__owner = 0;
  mutex.__data.__nusers = 0;
}
inline void StoreUnlocked(pthread_rwlock_t& lock) {
  lock.__data.__readers = 0;
  lock.__data.__writers = 0;
  lock.__data.__wrphase_futex = 0;
  lock.__data.__writers_futex = 0;
  lock.__data.__cur_writer = 0;
}

// As if not the calling thread had locked it, but one that does not exist. REQUIRES: it is locked.
inline constexpr int kNoSuchThread = 0x3ffffffe;  // above the kernel's, and fits into a futex
inline void StoreOtherOwner(pthread_mutex_t& mutex) {
  if (IsRobust(mutex)) mutex.__data.__lock = kNoSuchThread;
  mutex.__data.__owner = kNoSuchThread;
}
inline void StoreOtherOwner(pthread_rwlock_t& lock) { lock.__data.__cur_writer = kNoSuchThread; }

// pthread_condattr_setclock(CLOCK_MONOTONIC) was in force.
inline bool WaitsByMonotonicClock(const pthread_cond_t& condition) {
  return (condition.__data.__wrefs & 2) != 0;
}

inline bool PrefersWriters(const pthread_rwlock_t& lock) {
  return lock.__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

// The number of readers stands above three bits of state; who they are is not kept.
inline unsigned ReadersIn(const pthread_rwlock_t& lock) { return lock.__data.__readers >> 3; }
inline bool IsWrittenBy(const pthread_rwlock_t& lock, int thread) {
  return lock.__data.__cur_writer == thread;
}

// The semaphore's value is in the low half of its first word, how many wait in the high half.
inline unsigned SemaphoreValueIn(const sem_t& semaphore) {
  return static_cast<unsigned>(*reinterpret_cast<const unsigned long*>(&semaphore));
}

inline void StoreSemaphoreValue(sem_t& semaphore, unsigned value) {
  *reinterpret_cast<unsigned*>(&semaphore) = value;
}

// struct pthread_barrier { unsigned in, current_round, count; int shared; unsigned out; }
inline unsigned BarrierCountIn(const pthread_barrier_t& barrier) {
  return reinterpret_cast<const unsigned*>(&barrier)[2];
}

// Can this memory be an object that an _init function or an initialiser made? None of what they
// leave behind is missed; of other memory, most is. And is it one that was destroyed: what
// MarkDestroyed writes is, for mutexes and condition variables, what glibc's own functions write,
// and for the others something that is in no initialised object. Whoever makes the object anew, or
// uses its memory for something else, writes over it.

// The type in bits 0-1, then robust, priority inheritance or protection, shared, elision or not.
inline constexpr int kMutexKindBits = 0x3f3;
inline constexpr int kDestroyedMutexKind = -1;
inline bool LooksInitialised(const pthread_mutex_t& mutex) {
  return (mutex.__data.__kind & ~kMutexKindBits) == 0;
}
inline bool LooksDestroyed(const pthread_mutex_t& mutex) {
  return mutex.__data.__kind == kDestroyedMutexKind;
}
inline void MarkDestroyed(pthread_mutex_t& mutex) { mutex.__data.__kind = kDestroyedMutexKind; }

// __wrefs: bit 0 shared, bit 1 the clock, bit 2 being destroyed, above it the number of waiters,
// which are never real ones but where another process shares it.
inline bool LooksInitialised(const pthread_cond_t& condition) {
  constexpr unsigned kMostWaiters = 1u << 16;
  const unsigned references = condition.__data.__wrefs;
  return references < 4 || ((references & 5) == 1 && references >> 3 < kMostWaiters);
}
inline bool LooksDestroyed(const pthread_cond_t& condition) {
  return (condition.__data.__wrefs & ~3u) == 4;
}
inline void MarkDestroyed(pthread_cond_t& condition) { condition.__data.__wrefs |= 4; }

inline constexpr unsigned kDestroyedRwLock = 0xdead10cc;
inline bool LooksDestroyed(const pthread_rwlock_t& lock) {
  return lock.__data.__pad4 == kDestroyedRwLock;
}
inline bool LooksInitialised(const pthread_rwlock_t& lock) {
  return lock.__data.__flags <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
         !LooksDestroyed(lock);
}
inline void MarkDestroyed(pthread_rwlock_t& lock) { lock.__data.__pad4 = kDestroyedRwLock; }

inline bool LooksDestroyed(const sem_t& semaphore) {
  return *reinterpret_cast<const unsigned long*>(&semaphore) >> 32 == UINT_MAX;
}
inline bool LooksInitialised(const sem_t& semaphore) {
  constexpr unsigned long kMostWaiters = 1ul << 16;
  const unsigned long data = *reinterpret_cast<const unsigned long*>(&semaphore);
  return data >> 32 < kMostWaiters && SemaphoreValueIn(semaphore) <= INT_MAX;
}
inline void MarkDestroyed(sem_t& semaphore) {
  *reinterpret_cast<unsigned long*>(&semaphore) |= 0xffffffff00000000;
}

// No barrier is for nobody.
inline bool LooksDestroyed(const pthread_barrier_t& barrier) {
  return BarrierCountIn(barrier) == 0;
}
inline bool LooksInitialised(const pthread_barrier_t& barrier) {
  return BarrierCountIn(barrier) - 1u < INT_MAX;
}
inline void MarkDestroyed(pthread_barrier_t& barrier) {
  reinterpret_cast<unsigned*>(&barrier)[2] = 0;
}

// Unlocked, and so it stays: heddle keeps apart who holds the lock.
inline constexpr int kFreeSpinLock = 1;
inline void StoreLocked(pthread_spinlock_t& lock) { lock = 0; }
inline constexpr int kDestroyedSpinLock = 0x5ead10cc;
inline bool LooksInitialised(const pthread_spinlock_t& lock) { return lock == kFreeSpinLock; }
inline bool LooksDestroyed(const pthread_spinlock_t& lock) { return lock == kDestroyedSpinLock; }
inline void MarkDestroyed(pthread_spinlock_t& lock) { lock = kDestroyedSpinLock; }

// What pthread_once keeps in its control word.
inline constexpr int kOnceNotBegun = 0;
inline constexpr int kOnceRunning = 1;
inline constexpr int kOnceDone = 2;

}  // namespace heddle::runtime
