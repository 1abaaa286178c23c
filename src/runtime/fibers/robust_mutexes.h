// Robust mutexes: their owner's end gives them up.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// The running thread has locked the robust mutex.
void RememberRobust(Object& mutex);

// A thread ended: robust mutexes that it owns are marked, others stay locked for good.
void GiveUpRobust(Fiber& ended);

}  // namespace heddle::runtime
