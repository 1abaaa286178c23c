// What is told as two plain accesses and done as one, under scheduling points at plain accesses:
// copies of structs by GCC, and updates in asm statements.
//
// For `*to = *from` GCC calls the hook of the write, then that of the read, and then copies. With a
// scheduling point at each, others may look at `to` in between: the search takes the copy for made,
// and they get the old value. That is looked for, and such a search does not count as complete.
// With 8 bytes or less a copy cannot be told from a write that is followed by a read elsewhere,
// where all is right; so those are not looked at (docs/limits.md).
//
// An asm statement that reads and writes memory without a lock prefix does so in one instruction.
// Its two events are told before it runs, so it finds what others wrote between the two, and never
// the value that its read saw. Such a search does not count as complete, either.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// The running thread just made the event of a plain access.
void NoteHalf(Fiber& self, size_t size, bool write);

// The running thread just made the second of two events for one instruction; `first` is the other.
void NoteWholeUpdate(uint32_t first);

}  // namespace heddle::runtime
