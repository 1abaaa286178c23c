// Nobody can go on: deadlock (a cycle of owners, or waiters that nobody is left to wake) or
// livelock.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Ends the execution. `spinning`: how many threads wait in spin loops.
[[noreturn]] void EndWithoutProgress(uint32_t spinning);

}  // namespace heddle::runtime
