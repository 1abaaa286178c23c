// A piece of memory that code names: on the stack, relative to the stack pointer, or global.
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline constexpr int64_t kNoFrame = -1;
inline constexpr int64_t kLargestFrame = 1 << 16;

struct StackRange {
  int64_t begin;  // relative to the stack pointer after the operation at which the loop waits
  uint32_t size;
};

}  // namespace heddle::runtime
