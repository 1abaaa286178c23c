// The object table beyond FindObject (runtime.h): for what has to know which objects there are.
#pragma once

#include "runtime/objects/object.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitObjects();

// The object of this name, as the last execution that touched it left it; null if there is none.
Object* SearchObject(uintptr_t address, ObjectKind kind);

// REQUIRES: there is one.
Object& ObjectOfNumber(uint32_t number);

}  // namespace heddle::runtime
