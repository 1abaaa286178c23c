// Copies of memory that the program asks libc for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/hooks/own_code.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/plain.h"

namespace heddle::runtime {

// Where the two accesses are scheduling points, others may write to `from` between them. What is
// written is what was there at the first, as the events say. Apart from the rest: its buffer made
// short executions 4 % longer, all of which are full of small copies.
inline __attribute__((noinline)) void CopyByPoints(char* to, const char* from, size_t size,
                                                   uintptr_t pc) {
  char piece[256];  // larger copies are made as several
  const bool backward = to > from && to < from + size;
  for (size_t done = 0; done < size;) {
    const size_t count = size - done < sizeof piece ? size - done : sizeof piece;
    const size_t at = backward ? size - done - count : done;
    HashCallArgument(reinterpret_cast<uintptr_t>(to), size);
    HashCallArgument(done);
    PlainRange(from + at, count, false, pc);
    CopyForward(piece, from + at, count);
    HashCallArgument(reinterpret_cast<uintptr_t>(from), size);
    HashCallArgument(done, heddle::base::HashBytes(piece, count));
    PlainRange(to + at, count, true, pc);
    CopyForward(to + at, piece, count);
    done += count;
  }
}

// True: it was copied, too.
inline __attribute__((always_inline)) bool SeeCopy(void* to, const void* from, size_t size,
                                                   uintptr_t pc) {
  if (!IsSeen(pc)) return false;
  if (IsPlainPoint(pc)) {
    CopyByPoints(static_cast<char*>(to), static_cast<const char*>(from), size, pc);
    return true;
  }
  PlainRange(from, size, false, pc);
  PlainRange(to, size, true, pc);
  return false;
}

}  // namespace heddle::runtime
