// Choices of an execution under a memory model: of the write that a load reads, and of the place
// where a store goes (ChoiceKind).
#pragma once

#include "trace/execution.h"

namespace heddle::trace {

inline bool IsOfMemory(ChoiceKind kind) {
  return kind == ChoiceKind::kReadsFrom || kind == ChoiceKind::kStoresBefore;
}

}  // namespace heddle::trace
