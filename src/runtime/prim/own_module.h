// The module that we are part of.
#pragma once

#include <cstdint>

// Defined by the linker.
extern "C" {
extern __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern __attribute__((visibility("hidden"))) const char _end[];
}

namespace heddle::runtime {

inline bool IsOwnCode(uintptr_t pc) {
  const auto begin = reinterpret_cast<uintptr_t>(__ehdr_start);
  return pc - begin < reinterpret_cast<uintptr_t>(_end) - begin;
}

}  // namespace heddle::runtime
