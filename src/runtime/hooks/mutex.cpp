// pthread_mutex_*. One line a symbol; primitives/mutex.h has what they do.

#include <pthread.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/mutex.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_lock>("pthread_mutex_lock")(mutex);
  return MutexLock(mutex, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_trylock>("pthread_mutex_trylock")(mutex);
  return MutexTryLock(mutex, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_mutex_timedlock>("pthread_mutex_timedlock")(mutex, until);
  return MutexTimedLock(mutex, DeadlineOf(CLOCK_REALTIME, ReadValue(until, HEDDLE_ACCESS_CALLER)),
                        HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_mutex_clocklock>("pthread_mutex_clocklock")(mutex, clock, until);
  return MutexTimedLock(mutex, DeadlineOf(clock, ReadValue(until, HEDDLE_ACCESS_CALLER)),
                        HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_unlock>("pthread_mutex_unlock")(mutex);
  return MutexUnlock(mutex, HEDDLE_CALLER);
}

// The type stays readable in the program's memory; our record is made anew.
HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                     const pthread_mutexattr_t* attributes) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_init>("pthread_mutex_init")(mutex, attributes);
  HashCallArgument(attributes);
  ReachInitialise(FindMutex(mutex), HEDDLE_CALLER);
  const int status = Real<&pthread_mutex_init>("pthread_mutex_init")(mutex, attributes);
  MutexInit(mutex, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_destroy>("pthread_mutex_destroy")(mutex);
  return MutexDestroy(mutex, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (!InExecution()) return Real<&pthread_mutex_consistent>("pthread_mutex_consistent")(mutex);
  return MutexConsistent(mutex);
}

}  // extern "C"
