// pthread_spin_*. One line a symbol; primitives/spin_lock.h has what they do.

#include <pthread.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/life.h"
#include "runtime/primitives/spin_lock.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_spin_lock>("pthread_spin_lock")(lock);
  return SpinLock(lock, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_spin_trylock>("pthread_spin_trylock")(lock);
  return SpinTryLock(lock, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_spin_unlock>("pthread_spin_unlock")(lock);
  return SpinUnlock(lock, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (!InExecution()) return Real<&pthread_spin_init>("pthread_spin_init")(lock, shared);
  HashCallArgument(static_cast<uint64_t>(shared));
  ReachInitialise(FindSpinLock(lock), HEDDLE_CALLER);
  const int status = Real<&pthread_spin_init>("pthread_spin_init")(lock, shared);
  SpinInit(lock, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!InExecution()) return Real<&pthread_spin_destroy>("pthread_spin_destroy")(lock);
  return SpinDestroy(lock, HEDDLE_CALLER);
}

}  // extern "C"
