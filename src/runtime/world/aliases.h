// Memory that lies at two addresses, because the program has mapped one file to both. An address is
// the name of what lies there, so operations at the two are taken for independent ones. That is
// noticed, and is no proof (claim::Incomplete::kAliasedMemory).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// The program has mapped it, as mmap has it. From before main on.
void NoteMapping(uintptr_t address, size_t bytes, int protection, int flags, int file, long offset);
void NoteUnmapping(uintptr_t address, size_t bytes);

// Was a file mapped to two places before main?
bool AliasesBeforeMain();
// Has the program memory that a process which it makes would share with it?
bool SharesMemory();

}  // namespace heddle::runtime
