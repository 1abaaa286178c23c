// Running the same plan again after a change that only the loop outside can make.
#pragma once

#include <cstdint>

namespace heddle::runtime {

enum class RestartFor : uint8_t {
  kProcess,  // of its own, because memory rewinding cannot undo what the program is about to do
  kThreads,  // more of them than have thread-local storage
  kStacks,   // that are clear deeper down (fibers/pool.h), which they are from now on
};

// Ends the execution as kRestart; `message` is for those who cannot do what is asked for.
[[noreturn]] void Restart(RestartFor what, const char* message);
[[noreturn]] void RestartWithThreads(uint32_t count);

// What the execution that ended as kRestart asked for.
RestartFor RestartReason();
uint32_t WantedThreads();  // at least twice as many as there are

}  // namespace heddle::runtime
