// Pages and addresses, as the CPU has them; and copying of whole pages.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

inline constexpr uintptr_t kPageBytes = 4096;
inline constexpr unsigned kUserAddressBits = 47;  // no address of a program has more

constexpr uintptr_t RoundDown(uintptr_t value, uintptr_t step) { return value & ~(step - 1); }
constexpr uintptr_t RoundUp(uintptr_t value, uintptr_t step) {
  return (value + step - 1) & ~(step - 1);
}

// String instructions: never a call of the memcpy and memset that heddle replaces, and as good for
// pages as vector loops (measured: 30 ns a page in the first-level cache and 80 ns beyond, AVX 23
// to 100, SSE 46 to 107; comparing before copying takes 63 to 136).
inline void CopyBytes(void* to, const void* from, size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}
inline void CopyPage(void* to, const void* from) {
  size_t words = kPageBytes / 8;
  asm volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}
inline constexpr size_t kLineBytes = 64;
// REQUIRES: as many bytes at both. Any alignment.
inline bool SameLine(const char* a, const char* b) {
  typedef uint64_t Words __attribute__((vector_size(16), aligned(1), may_alias));
  const auto* left = reinterpret_cast<const Words*>(a);
  const auto* right = reinterpret_cast<const Words*>(b);
  const Words differ =
      (left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2]) | (left[3] ^ right[3]);
  return (differ[0] | differ[1]) == 0;
}
inline bool SamePage(const void* a, const void* b) {
  const auto* left = static_cast<const uint64_t*>(a);
  const auto* right = static_cast<const uint64_t*>(b);
  for (size_t i = 0; i < kPageBytes / 8; ++i)
    if (left[i] != right[i]) return false;
  return true;
}

}  // namespace heddle::runtime
