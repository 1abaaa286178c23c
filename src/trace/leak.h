// A block of the heap that nothing points to when the program ends, with all that are lost at the
// same time and were allocated by the same calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::trace {

// Of a stack, so many innermost frames tell leaks apart. Fewer than are recorded of an allocation
// (channel::kMaxFrames), where the C++ library's come first.
inline constexpr uint32_t kLeakFrames = 20;

struct Leak {
  uintptr_t block;  // what malloc returned: the first, by address
  size_t bytes;
  uintptr_t pc;    // the code that allocated it; 0: not known
  uint64_t stack;  // a hash of the calls that led there; 0: not known
  // Besides `block`: others of the same calls, and those that only these point to.
  uint32_t others;
  size_t other_bytes;
};

}  // namespace heddle::trace
