// Running the same plan again after a change that only the loop outside can make.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// More threads than have thread-local storage: ends the execution as kRestart; the target makes
// more and runs it again.
[[noreturn]] void RestartWithThreads(uint32_t count);

// The number last asked for; 0 when none is outstanding.
uint32_t TakeWantedThreads();

}  // namespace heddle::runtime
