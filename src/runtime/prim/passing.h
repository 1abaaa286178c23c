// Functions that only pass a call on to the C library's, after a look at its arguments. What system
// calls that one makes are the program's, as if it had called libc itself (world/unseen_calls.h).
#pragma once

#include <cstdint>

// In front of the function that calls libc's.
#define HEDDLE_PASSING __attribute__((section("heddle_passing"), noinline))

namespace heddle::runtime {

extern "C" {
// Defined by the linker; null where no such function is linked in.
extern __attribute__((visibility("hidden"), weak)) const char __start_heddle_passing[];
extern __attribute__((visibility("hidden"), weak)) const char __stop_heddle_passing[];
}

inline bool IsPassing(uintptr_t pc) {
  const auto begin = reinterpret_cast<uintptr_t>(__start_heddle_passing);
  return pc - begin < reinterpret_cast<uintptr_t>(__stop_heddle_passing) - begin;
}

}  // namespace heddle::runtime
