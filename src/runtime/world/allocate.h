// What malloc and its family do in a controlled process: the program's heap (program_heap.h), plus
// the checks that hang on a block's life. A bad free ends the execution with a message that names
// it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/shadow.h"
#include "runtime/memory/block.h"

namespace heddle::runtime {

// True when malloc is ours. In an ordinary run, glibc's serves the program. Answers for good at the
// first call.
bool HeapIsOurs();

enum class Contents : uint8_t { kPattern, kZero };

// Null, with errno set, when the heap's limits are exceeded. Any alignment is rounded up to a power
// of two. `caller` is the return address of the program's call, here and below.
//
// With --fail-allocations N, so is one of a thread's first N: which one, if any, is a choice of the
// search (MayFail).
void* Allocate(size_t bytes, uintptr_t caller, size_t alignment = 16,
               Contents contents = Contents::kPattern);
void* AllocateArray(size_t count, size_t bytes, uintptr_t caller);  // zeroed
// Has the running thread a choice when `caller` allocates? libc's own always succeed: it may hold a
// lock of its own, so others must not run there.
bool MayFail(uintptr_t caller);
// operator new has returned it to `caller`; null: it has not.
void NoteFamily(void* payload, HeapFamily family, uintptr_t caller);
inline constexpr size_t kUnsaid = ~size_t{0};
// operator delete of the family is called by `caller`, and will call free with it. `bytes`: the
// size that it is given, kUnsaid if it is given none.
void NoteDelete(const void* payload, HeapFamily family, size_t bytes, uintptr_t caller);
void Free(void* payload, uintptr_t caller);
void* Resize(void* payload, size_t bytes, uintptr_t caller);
void* ResizeArray(void* payload, size_t count, size_t bytes, uintptr_t caller);
// What was asked for: the rest of the block belongs to nobody.
size_t UsableBytes(const void* payload);

// The running thread gives memory back: by `free` or `munmap`, or it poisons it, or a static object
// was destroyed there. REQUIRES: in an execution.
void GiveBack(const void* memory, size_t bytes, uintptr_t caller,
              check::GivenBack how = check::GivenBack::kFreed);

}  // namespace heddle::runtime
