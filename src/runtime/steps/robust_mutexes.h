// Robust mutexes: their owner's end gives them up.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/objects/answer.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

void RememberRobust(Object& mutex);

// The running thread has been answered so, about a mutex that it was to lock.
inline void NoteTaken(Object& mutex, const Answer& answer) {
  if (mutex.mutex.robust && answer.acquires != Acquires::kNothing) RememberRobust(mutex);
}

// The running thread has ended: robust mutexes that it owns are marked, others stay locked for
// good.
void GiveUpRobust(const Fiber& self);

}  // namespace heddle::runtime
