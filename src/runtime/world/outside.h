// What an execution takes from the world that heddle does not put back: files. Kept for one
// purpose: when a schedule does not replay, the report names the likely cause.
#pragma once

#include <cstdint>

#include "runtime/bounded_text.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitOutside();

// The running thread opens a file, by the call that returns to `pc`.
void NoteFile(const char* path, bool writes, uintptr_t pc);

// The likely cause of an execution that went another way than its schedule did before, chosen by
// what the last execution opened; else what it may be.
void TellLikelyCause(BoundedText& text);

}  // namespace heddle::runtime
