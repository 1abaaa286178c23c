// What the program's code does with a value that it reads from memory: it moves it elsewhere, or it
// computes with it.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// A hook has told of a read that the code behind `pc`, the hook's return, makes next. Does that
// code compare the value that it reads, calculate with it, or use it as an address? True only where
// that is certain: the code is followed from there, as long as it does not branch, through
// registers and places on the stack. So a copy of a structure, which compilers make member by
// member, is no use; nor is what is only stored, passed or returned.
bool UsesReadValue(uintptr_t pc);

}  // namespace heddle::runtime
