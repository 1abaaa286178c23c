// Rows of ticks, the inside of vector clocks, four at a time: every joined clock and every step of
// a reduction goes through these.
#pragma once

#include <cstdint>

namespace heddle::trace {

// Any alignment; an attribute, so not `using`.
typedef uint32_t Ticks4 __attribute__((vector_size(16), aligned(4), may_alias));  // NOLINT

inline Ticks4 LoadTicks(const uint32_t* at) { return *reinterpret_cast<const Ticks4*>(at); }
inline void StoreTicks(uint32_t* at, Ticks4 ticks) { *reinterpret_cast<Ticks4*>(at) = ticks; }

// ticks[t] becomes the later of ticks[t] and other[t], for all t < count. The two may be the same.
inline void JoinTicks(uint32_t* ticks, const uint32_t* other, uint32_t count) {
  uint32_t t = 0;
  for (; t + 4 <= count; t += 4) {
    const Ticks4 a = LoadTicks(ticks + t);
    const Ticks4 b = LoadTicks(other + t);
    StoreTicks(ticks + t, a > b ? a : b);
  }
  for (; t < count; ++t)
    if (ticks[t] < other[t]) ticks[t] = other[t];
}

// REQUIRES: the two do not overlap.
inline void CopyTicks(uint32_t* to, const uint32_t* from, uint32_t count) {
  uint32_t t = 0;
  for (; t + 4 <= count; t += 4) StoreTicks(to + t, LoadTicks(from + t));
  for (; t < count; ++t) to[t] = from[t];
}

}  // namespace heddle::trace
