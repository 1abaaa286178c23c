// What linkers and assemblers put between functions.
#pragma once

#include <cstddef>
#include <span>

namespace heddle::runtime {

// How many of the first bytes are padding: nops of any length, int3 and zeros, and jumps over
// nothing else.
size_t LengthOfPadding(std::span<const unsigned char> code);

}  // namespace heddle::runtime
