// mtx_* and cnd_* of C11: the same objects as pthread_mutex_* and pthread_cond_*, with answers of
// their own. thrd_* and tss_* are in thread.cpp, call_once in once.cpp.

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "runtime/export.h"
#include "runtime/hooks/operands.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/condition.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/mutex.h"
#include "runtime/runtime.h"
#include "runtime/world/virtual_time.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

// glibc defines them as wrappers of these, and its own functions rely on it.
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));
static_assert(thrd_success == 0);

namespace {

pthread_mutex_t* PosixOf(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* PosixOf(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int AsC11(int status) {
  switch (status) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

}  // namespace

extern "C" {

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if (!InExecution()) return Real<&mtx_init>("mtx_init")(mutex, type);
  HashCallArgument(static_cast<uint64_t>(type));
  ReachInitialise(FindMutex(PosixOf(mutex)), HEDDLE_CALLER);
  const int answer = Real<&mtx_init>("mtx_init")(mutex, type);
  MutexInit(PosixOf(mutex), answer, HEDDLE_CALLER);
  return answer;
}

HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!InExecution()) return Real<&mtx_lock>("mtx_lock")(mutex);
  return AsC11(MutexLock(PosixOf(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!InExecution()) return Real<&mtx_trylock>("mtx_trylock")(mutex);
  return AsC11(MutexTryLock(PosixOf(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  if (!InExecution()) return Real<&mtx_timedlock>("mtx_timedlock")(mutex, until);
  const timespec limit = ReadValue(until, HEDDLE_ACCESS_CALLER);
  if (!IsValidTime(limit)) return thrd_error;
  return AsC11(MutexTimedLock(PosixOf(mutex), DeadlineOf(CLOCK_REALTIME, limit), HEDDLE_CALLER));
}

HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!InExecution()) return Real<&mtx_unlock>("mtx_unlock")(mutex);
  return AsC11(MutexUnlock(PosixOf(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!InExecution()) return Real<&mtx_destroy>("mtx_destroy")(mutex);
  MutexDestroy(PosixOf(mutex), HEDDLE_CALLER);
}

HEDDLE_EXPORT int cnd_init(cnd_t* condition) {
  if (!InExecution()) return Real<&cnd_init>("cnd_init")(condition);
  ReachInitialise(FindCondition(PosixOf(condition)), HEDDLE_CALLER);
  const int answer = Real<&cnd_init>("cnd_init")(condition);
  CondInit(PosixOf(condition), answer, HEDDLE_CALLER);
  return answer;
}

HEDDLE_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!InExecution()) return Real<&cnd_wait>("cnd_wait")(condition, mutex);
  return AsC11(CondWait(PosixOf(condition), PosixOf(mutex), HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  if (!InExecution()) return Real<&cnd_timedwait>("cnd_timedwait")(condition, mutex, until);
  const timespec limit = ReadValue(until, HEDDLE_ACCESS_CALLER);
  if (!IsValidTime(limit)) return thrd_error;
  const uint64_t deadline = DeadlineOf(CLOCK_REALTIME, limit);
  return AsC11(CondTimedWait(PosixOf(condition), PosixOf(mutex), deadline, HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_signal(cnd_t* condition) {
  if (!InExecution()) return Real<&cnd_signal>("cnd_signal")(condition);
  return AsC11(CondSignal(PosixOf(condition), HEDDLE_CALLER));
}

HEDDLE_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!InExecution()) return Real<&cnd_broadcast>("cnd_broadcast")(condition);
  return AsC11(CondBroadcast(PosixOf(condition), HEDDLE_CALLER));
}

HEDDLE_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!InExecution()) return Real<&cnd_destroy>("cnd_destroy")(condition);
  CondDestroy(PosixOf(condition), HEDDLE_CALLER);
}

}  // extern "C"
