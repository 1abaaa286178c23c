// When is the operation that a thread stands before enabled? The one table.
#pragma once

#include "op/operation.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

// `object`: the one whose state decides; null if there is none. `was_let_go`: what else the
// operation waits for has happened: the thread was woken, the thread that it joins has ended, the
// world outside is ready (fibers/enabled.h).
bool IsEnabled(const op::Operation& operation, const Object* object, op::ThreadId thread,
               bool was_let_go);

// What `object` enables, as a level of the dependence table.
op::Level LevelOf(const Object& object);

}  // namespace heddle::runtime
