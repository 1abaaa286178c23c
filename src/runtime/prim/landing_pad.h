// Where the code of a function goes on when a call in it throws, read off its table of call sites
// (the LSDA of the Itanium C++ ABI for exception handling).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Of the call that returns to `return_address`. `pad` is 0 if the exception leaves the function, or
// ends the program. Returns false if the tables are in a form that is not known.
bool LandingPadOf(uintptr_t return_address, uintptr_t& pad);

}  // namespace heddle::runtime
