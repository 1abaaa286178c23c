// The contents of the program's memory, but for its stacks, as one hash of 128 bits: of the pages
// that differ from the snapshot, and of what was allocated since.
//
// Its cost follows what was written. Each page is hashed once and copied; as long as it is the same
// as that copy, its hash holds (a comparison takes a twentieth of the time). The whole is the sum
// over pages, so they may be visited in any order; a page that is as in the snapshot adds nothing,
// whether it was written in between or not.
//
// Where the heap's bookkeeping lies in the program's memory (block.h) it is part of the pages;
// beyond that it is how much of each arena is in use.
#pragma once

#include "base/wide_hash.h"

namespace heddle::runtime {

// Of the snapshot that is taken. REQUIRES: called between two events of an execution, anywhere.
base::WideHash HashOfMemory();
// Another snapshot is taken.
void ForgetMemoryHashes();

}  // namespace heddle::runtime
