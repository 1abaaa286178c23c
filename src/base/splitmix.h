// SplitMix64: the one source of pseudo-random numbers and of hash mixing. Pure functions of their
// argument, so that a printed seed says everything.
#pragma once

#include <cstdint>

namespace heddle::base {

// A bijection in which every input bit reaches every output bit (Steele, Lea, Flood: "Fast
// splittable pseudorandom number generators", OOPSLA'14; these are the constants of its MurmurHash3
// variant 13).
inline uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A stream of numbers: advances `state` and returns the next.
inline uint64_t NextRandom(uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  return Mix(state);
}

// A number below `bound`, by multiplication; the bias is below bound / 2^32.
// REQUIRES: bound > 0.
inline uint32_t NextBelow(uint64_t& state, uint32_t bound) {
  return static_cast<uint32_t>((NextRandom(state) >> 32) * bound >> 32);
}

}  // namespace heddle::base
