// Is the next operation of a thread enabled? objects/enabled.h has the table; here is what it asks
// of threads.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// REQUIRES: `fiber` is published. Depends only on the state of the objects it names, on fiber.wake,
// on whether the thread that it joins has ended, and on the world outside.
bool IsEnabled(const Fiber& fiber);

}  // namespace heddle::runtime
