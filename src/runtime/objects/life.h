// The life of an object as calls make and end it; what they do is in primitives/life.h.
#pragma once

#include <cstdint>

#include "runtime/objects/object.h"

namespace heddle::runtime {

// An _init call, of this execution.
struct Making {
  ObjectKind kind;
  bool over;     // the object was destroyed
  uintptr_t pc;  // of the call
  Making* next;
};

// "mutex", "condition variable" ...
const char* NounOf(ObjectKind kind);

}  // namespace heddle::runtime
