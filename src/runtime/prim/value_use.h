// What the program's code does with a value that it reads from memory: it moves it elsewhere, or it
// computes with it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// A hook has told of a read of `size` bytes at `address` that the code behind `pc`, the hook's
// return, makes next. Does that code compare the value that it reads, calculate with it, or use it
// as an address? True only where that is certain: the code is followed from there, as long as it
// does not branch, through registers and places on the stack. So a copy of a structure, which
// compilers make member by member, is no use; nor is what is only stored, passed or returned. To
// take bits out of it, or to put others in, is none until the result is compared: so compilers
// write bit fields, and copy them.
bool UsesReadValue(uintptr_t pc, uintptr_t address, size_t size);

}  // namespace heddle::runtime
