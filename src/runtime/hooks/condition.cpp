// pthread_cond_*. One line a symbol; primitives/condition.h has what they do.

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/condition.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Older than these are the functions of LinuxThreads, with another layout.
constexpr char kVersion[] = "GLIBC_2.3.2";

int TimedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
              const timespec& until, uintptr_t pc) {
  if (!IsValidTime(until) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return EINVAL;
  return CondTimedWait(condition, mutex, DeadlineOf(clock, until), pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!InExecution())
    return Real<&pthread_cond_wait>("pthread_cond_wait", kVersion)(condition, mutex);
  return CondWait(condition, mutex, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const timespec* until) {
  if (!InExecution())
    return Real<&pthread_cond_timedwait>("pthread_cond_timedwait", kVersion)(condition, mutex,
                                                                             until);
  return TimedWait(condition, mutex, CondClock(*condition), ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         clockid_t clock, const timespec* until) {
  if (!InExecution())
    return Real<&pthread_cond_clockwait>("pthread_cond_clockwait")(condition, mutex, clock, until);
  return TimedWait(condition, mutex, clock, ReadValue(until, HEDDLE_ACCESS_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!InExecution()) return Real<&pthread_cond_signal>("pthread_cond_signal", kVersion)(condition);
  return CondSignal(condition, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!InExecution())
    return Real<&pthread_cond_broadcast>("pthread_cond_broadcast", kVersion)(condition);
  return CondBroadcast(condition, HEDDLE_CALLER);
}

// The clock stays readable in the program's memory; our record is made anew.
HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                    const pthread_condattr_t* attributes) noexcept {
  if (!InExecution())
    return Real<&pthread_cond_init>("pthread_cond_init", kVersion)(condition, attributes);
  HashCallArgument(attributes);
  ReachInitialise(FindCondition(condition), HEDDLE_CALLER);
  const int status = Real<&pthread_cond_init>("pthread_cond_init", kVersion)(condition, attributes);
  CondInit(condition, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!InExecution())
    return Real<&pthread_cond_destroy>("pthread_cond_destroy", kVersion)(condition);
  return CondDestroy(condition, HEDDLE_CALLER);
}

}  // extern "C"
