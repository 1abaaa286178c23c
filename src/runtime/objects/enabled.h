// When is the next operation of a thread enabled? The one table.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// REQUIRES: `fiber` is published. Depends only on the state of the objects it names and on
// fiber.wake.
bool IsEnabled(const Fiber& fiber);

// What `object` enables, as a level of the dependence table.
op::Level LevelOf(const Object& object);

}  // namespace heddle::runtime
