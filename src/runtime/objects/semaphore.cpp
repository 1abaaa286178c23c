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
  // Posts commute as long as none of them can be the one that fails.
  constexpr uint64_t kNearlyFull = INT_MAX - (1 << 20);
  const bool may_fail = semaphore.value++ >= kNearlyFull;
  return {.access = may_fail ? op::Access::kWrite : op::Access::kShared,
          .releases = Releases::kInto};
}

Answer LowerUpOrDown(SemaphoreState& semaphore) {
  semaphore.value = 1;
  return {.access = op::Access::kShared, .releases = Releases::kInto};
}

Answer CountPermits(const SemaphoreState& semaphore) {
  return {.access = op::Access::kRead, .value = semaphore.value};
}

void DestroySemaphore(SemaphoreState& semaphore) { semaphore.value = 1; }

}  // namespace heddle::runtime
