// pthread_rwlock_*. One line a symbol; primitives/rwlock.h has what they do.

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/rwlock.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

int TimedLock(pthread_rwlock_t* lock, RwSide side, clockid_t clock, const timespec& until,
              uintptr_t pc) {
  if (!IsValidTime(until) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return EINVAL;
  const uint64_t deadline = DeadlineOf(clock, until);
  return RwLock(lock, side, &deadline, pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_rdlock>("pthread_rwlock_rdlock")(lock);
  return RwLock(lock, RwSide::kRead, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_wrlock>("pthread_rwlock_wrlock")(lock);
  return RwLock(lock, RwSide::kWrite, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_tryrdlock>("pthread_rwlock_tryrdlock")(lock);
  return RwTryLock(lock, RwSide::kRead, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_trywrlock>("pthread_rwlock_trywrlock")(lock);
  return RwTryLock(lock, RwSide::kWrite, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                             const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_rwlock_timedrdlock>("pthread_rwlock_timedrdlock")(lock, until);
  return TimedLock(lock, RwSide::kRead, CLOCK_REALTIME, ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                             const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_rwlock_timedwrlock>("pthread_rwlock_timedwrlock")(lock, until);
  return TimedLock(lock, RwSide::kWrite, CLOCK_REALTIME, ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_rwlock_clockrdlock>("pthread_rwlock_clockrdlock")(lock, clock, until);
  return TimedLock(lock, RwSide::kRead, clock, ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                             const timespec* until) noexcept {
  if (!InExecution())
    return Real<&pthread_rwlock_clockwrlock>("pthread_rwlock_clockwrlock")(lock, clock, until);
  return TimedLock(lock, RwSide::kWrite, clock, ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_unlock>("pthread_rwlock_unlock")(lock);
  return RwUnlock(lock, HEDDLE_CALLER);
}

// The kind stays readable in the program's memory; our record is made anew.
HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                      const pthread_rwlockattr_t* attributes) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_init>("pthread_rwlock_init")(lock, attributes);
  HashCallArgument(attributes);
  ReachInitialise(FindRwLock(lock), HEDDLE_CALLER);
  const int status = Real<&pthread_rwlock_init>("pthread_rwlock_init")(lock, attributes);
  RwInit(lock, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_rwlock_destroy>("pthread_rwlock_destroy")(lock);
  return RwDestroy(lock, HEDDLE_CALLER);
}

}  // extern "C"
