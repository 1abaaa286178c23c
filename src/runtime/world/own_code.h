// Whose code is at an address: libheddle's own, the system's, or the program's? Calls and faults of
// the program are told from ours by it.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The module we are part of; the linker defines both.
extern "C" {
extern __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern __attribute__((visibility("hidden"))) const char _end[];
}

inline bool IsOwnCode(uintptr_t pc) {
  const auto begin = reinterpret_cast<uintptr_t>(__ehdr_start);
  return pc - begin < reinterpret_cast<uintptr_t>(_end) - begin;
}

// In a library of the system.
bool IsSystemCode(uintptr_t pc);

}  // namespace heddle::runtime
