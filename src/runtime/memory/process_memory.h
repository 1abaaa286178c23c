// Which memory of the process is the program's state: the list that a snapshot is taken of.
#pragma once

#include "runtime/memory/snapshot.h"

namespace heddle::runtime {

// Writable segments of every loaded module, the zeroed tail included, except the one that this code
// is part of and except RELRO pages, which the dynamic linker made read-only for good.
void AddModules(Snapshot& snapshot);

// The dynamic linker's own, of these pages. It counts there, for example, how often a symbol was
// looked up: heddle does that, too, the first time that it needs one.
bool IsOfDynamicLinker(uintptr_t page);

// What sbrk handed out. Rarely anything, since malloc is ours.
void AddBreak(Snapshot& snapshot);

// Buffers of open input streams: the kernel fills them from inside libc, where no hook can make
// them writable first.
void AddStreamBuffers(Snapshot& snapshot);

}  // namespace heddle::runtime
