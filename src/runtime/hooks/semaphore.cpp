// sem_*. One line a symbol; primitives/semaphore.h has what they do.

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/semaphore.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

int AsErrno(int status) {
  if (status == 0) return 0;
  errno = status;
  return -1;
}

int TimedWait(sem_t* semaphore, clockid_t clock, const timespec& until, uintptr_t pc) {
  if (!IsValidTime(until) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
    return AsErrno(EINVAL);
  const uint64_t deadline = DeadlineOf(clock, until);
  return AsErrno(SemWait(semaphore, &deadline, pc));
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  if (!InExecution()) return Real<&sem_wait>("sem_wait")(semaphore);
  return AsErrno(SemWait(semaphore, nullptr, HEDDLE_CALLER));
}

HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!InExecution()) return Real<&sem_timedwait>("sem_timedwait")(semaphore, until);
  return TimedWait(semaphore, CLOCK_REALTIME, ReadValue(until, HEDDLE_ACCESS_CALLER),
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!InExecution()) return Real<&sem_clockwait>("sem_clockwait")(semaphore, clock, until);
  return TimedWait(semaphore, clock, ReadValue(until, HEDDLE_ACCESS_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  if (!InExecution()) return Real<&sem_trywait>("sem_trywait")(semaphore);
  return AsErrno(SemTryWait(semaphore, HEDDLE_CALLER));
}

HEDDLE_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (!InExecution()) return Real<&sem_post>("sem_post")(semaphore);
  return AsErrno(SemPost(semaphore, HEDDLE_CALLER));
}

HEDDLE_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!InExecution()) return Real<&sem_getvalue>("sem_getvalue")(semaphore, value);
  const int status = SemGetValue(semaphore, value, HEDDLE_CALLER);
  if (status == 0) SeeWrite(value, HEDDLE_ACCESS_CALLER);
  return AsErrno(status);
}

// The value stays readable in the program's memory; our record is made anew.
HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (!InExecution()) return Real<&sem_init>("sem_init")(semaphore, shared, value);
  HashCallArgument(value);
  ReachInitialise(FindSemaphore(semaphore), HEDDLE_CALLER);
  const int status = Real<&sem_init>("sem_init")(semaphore, shared, value);
  SemInit(semaphore, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  if (!InExecution()) return Real<&sem_destroy>("sem_destroy")(semaphore);
  return SemDestroy(semaphore, HEDDLE_CALLER);
}

// A named semaphore outlives the execution, and other processes may post it.
HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  if (InExecution()) Unsupported("a named semaphore (sem_open)");
  va_list arguments;
  va_start(arguments, flags);
  const bool creates = (flags & O_CREAT) != 0;
  const auto mode = creates ? va_arg(arguments, mode_t) : mode_t{0};
  const auto value = creates ? va_arg(arguments, unsigned) : 0u;
  va_end(arguments);
  return Real<&sem_open>("sem_open")(name, flags, mode, value);
}

}  // extern "C"
