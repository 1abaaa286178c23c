// Unsigned numbers in as few bytes as they need: seven bits a byte, lowest first, the top bit set
// on all but the last.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::explore {

inline constexpr unsigned kMaxVarintBytes = 10;

// ENSURES: the answer is one past the last byte written, at most kMaxVarintBytes beyond `to`.
inline uint8_t* PutVarint(uint8_t* to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

inline void AppendVarint(std::vector<uint8_t>& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<uint8_t>(value | 0x80));
  to.push_back(static_cast<uint8_t>(value));
}

// Reads what stands at `*from` and moves it behind.
inline uint64_t TakeVarint(const uint8_t** from) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *(*from)++;
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
}

}  // namespace heddle::explore
