#include "runtime/objects/semaphore.h"

#include <errno.h>
#include <limits.h>

namespace heddle::runtime {

Answer TakePermit(SemaphoreState& semaphore) {
  --semaphore.value;
  return {.acquires = Acquires::kReleased};
}

Answer TryTakePermit(SemaphoreState& semaphore) {
  return HasPermit(semaphore) ? TakePermit(semaphore) : Refused(EAGAIN);
}

Answer PostPermit(SemaphoreState& semaphore) {
  if (semaphore.value == INT_MAX) return Refused(EOVERFLOW);  // SEM_VALUE_MAX
  ++semaphore.value;
  return {.access = op::Access::kShared, .releases = Releases::kInto};
}

Answer CountPermits(const SemaphoreState& semaphore) {
  return {.access = op::Access::kRead, .value = semaphore.value};
}

void DestroySemaphore(SemaphoreState& semaphore) { semaphore.value = 1; }

}  // namespace heddle::runtime
