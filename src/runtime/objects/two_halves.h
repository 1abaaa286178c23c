// Copies of structs by GCC, under scheduling points at plain accesses.
//
// For `*to = *from` GCC calls the hook of the write, then that of the read, and then copies. With a
// scheduling point at each, others may look at `to` in between: the search takes the copy for made,
// and they get the old value. That is looked for, and such a search does not count as complete.
// With 8 bytes or less a copy cannot be told from a write that is followed by a read elsewhere,
// where all is right; so those are not looked at (docs/limits.md).
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The running thread just made the event of a plain access.
void NoteHalf(Fiber& self, size_t size, bool write);

}  // namespace heddle::runtime
