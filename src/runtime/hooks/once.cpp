// pthread_once, which std::call_once calls, and call_once of C11. primitives/once.h has what they
// do. Not noexcept: exceptions of the routine pass through.

#include <pthread.h>
#include <threads.h>

#include "runtime/export.h"
#include "runtime/prim/real.h"
#include "runtime/primitives/once.h"
#include "runtime/runtime.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

extern "C" {

HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*init)()) {
  if (!InExecution()) return Real<&pthread_once>("pthread_once")(control, init);
  return Once(control, init, HEDDLE_CALLER);
}

HEDDLE_EXPORT void call_once(once_flag* flag, void (*init)()) {
  if (!InExecution()) return Real<&call_once>("call_once")(flag, init);
  Once(reinterpret_cast<pthread_once_t*>(flag), init, HEDDLE_CALLER);
}

}  // extern "C"
