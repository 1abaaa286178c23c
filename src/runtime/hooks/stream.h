// For hooks of calls on a FILE (world/streams.h).
#pragma once

#include "runtime/hooks/strings.h"
#include "runtime/world/streams.h"

namespace heddle::runtime {

// Before the call, behind all that it reads of other memory.
inline void SeeStream(FILE* stream, uintptr_t pc) {
  if (IsSeen(pc)) UseStream(stream, StreamForm::kLocked, pc);
}
// A call that writes or reads the stream's buffer.
inline void SeeTransfer(FILE* stream, uintptr_t pc) {
  SeeStream(stream, pc);
  if (IsSeen(pc)) CheckBufferOf(stream, pc);
}
inline void SeeStreamUnlocked(FILE* stream, uintptr_t pc) {
  if (IsSeen(pc)) UseStream(stream, StreamForm::kUnlocked, pc);
}

}  // namespace heddle::runtime
