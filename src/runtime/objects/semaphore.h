// Semaphores. A post publishes what the thread knows, a wait that gets a permit learns it. Statuses
// are 0 or an errno value.
#pragma once

#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

inline bool HasPermit(const SemaphoreState& semaphore) { return semaphore.value != 0; }

// REQUIRES: HasPermit.
Answer TakePermit(SemaphoreState& semaphore);
Answer TryTakePermit(SemaphoreState& semaphore);
Answer PostPermit(SemaphoreState& semaphore);
// Of one that never has more than one permit: leaves it with that. Two of these commute.
Answer LowerUpOrDown(SemaphoreState& semaphore);
// The answer's value is the semaphore's.
Answer CountPermits(const SemaphoreState& semaphore);

// REQUIRES: nobody waits for it. To wait for it from now on is a misuse, whether it had a permit or
// not: who does goes on, and is told.
void DestroySemaphore(SemaphoreState& semaphore);

}  // namespace heddle::runtime
