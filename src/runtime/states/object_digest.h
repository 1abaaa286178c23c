// The objects' part of the program's state (state_digest.h). An object that is as it would be found
// at its first touch adds nothing: whether it was touched is no part of the state.
#pragma once

#include "base/wide_hash.h"
#include "check/known_accesses.h"
#include "runtime/fibers/fiber.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

void AddObject(base::WideHash& sum, const Object& object);
// What a thread may learn from it.
void AddKnowledgeOf(base::WideHash& sum, const Object& object, const check::KnownAccesses& known);
// The operand of what the thread stands before, without what counts for ever.
uint64_t OperandOf(const Fiber& fiber);

}  // namespace heddle::runtime
