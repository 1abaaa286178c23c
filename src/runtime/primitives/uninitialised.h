// Reads of heap memory that nobody has written (--uninitialised).
//
// malloc fills a block with a pattern (memory/program_heap.h), and what nobody has written still
// holds it, whoever may have written beside it: code that was not rebuilt, the kernel. So nothing
// is noted of writes. To copy is not to read, as in MemorySanitizer: the copy of a byte that nobody
// has written holds the pattern, too, and whoever reads it there is told. That a plain access is no
// copy, the code behind it tells (prim/value_use.h).
//
// Looked at are words of four aligned bytes: one that holds the pattern by chance, because somebody
// has written just that, is not expected. A read is told if all the words that it touches hold it,
// so not one of a structure of which a part was written, nor of a byte beside a written one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/program_heap.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

inline bool LooksForUnwritten() { return (g_state.places & kWatchUnwritten) != 0; }

// Does nobody seem to have written any of these bytes? They may be on the heap or not.
bool IsUnwritten(uintptr_t address, size_t size);

// The running thread is about to read these bytes by a plain access. Does not return if nobody has
// written them, and what is read is used. REQUIRES: they may be read.
void RequireWritten(uintptr_t address, size_t size, uintptr_t pc);

inline void NotePlainRead(uintptr_t address, size_t size, uintptr_t pc) {
  if (__builtin_expect(LooksForUnwritten(), 0) && size <= sizeof(uint64_t) &&
      IsInProgramHeap(address))
    RequireWritten(address, size, pc);
}

}  // namespace heddle::runtime
