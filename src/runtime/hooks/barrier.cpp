// pthread_barrier_*. One line a symbol; primitives/barrier.h has what they do.

#include <pthread.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/barrier.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

extern "C" {

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!InExecution()) return Real<&pthread_barrier_wait>("pthread_barrier_wait")(barrier);
  return BarrierWait(barrier, HEDDLE_CALLER);
}

// The count stays readable in the program's memory; our record is made anew.
HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                       const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  if (!InExecution())
    return Real<&pthread_barrier_init>("pthread_barrier_init")(barrier, attributes, count);
  HashCallArgument(count);
  ReachInitialise(FindBarrier(barrier), HEDDLE_CALLER);
  const int status =
      Real<&pthread_barrier_init>("pthread_barrier_init")(barrier, attributes, count);
  BarrierInit(barrier, status, HEDDLE_CALLER);
  return status;
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (!InExecution()) return Real<&pthread_barrier_destroy>("pthread_barrier_destroy")(barrier);
  return BarrierDestroy(barrier, HEDDLE_CALLER);
}

}  // extern "C"
