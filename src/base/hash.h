// Hashing and pseudo-random numbers: all of heddle's. Pure functions of their arguments, so that a
// printed seed says everything, and a hash means the same in every process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::base {

// 2^64 divided by the golden ratio, odd.
inline constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

// Spreads the low bits of a key over the upper ones: for tables that take their slot from there
// (Knuth, TAOCP 3, 6.4: Fibonacci hashing). One multiplication.
inline constexpr uint64_t Spread(uint64_t key) { return key * kGolden; }

// One more word for a hash of several, in order.
inline constexpr uint64_t Fold(uint64_t hash, uint64_t word) {
  hash = Spread(hash ^ word);
  return hash ^ (hash >> 29);
}

// FNV-1a of bytes, going on from `hash`.
inline constexpr uint64_t kEmptyHash = 0xcbf29ce484222325u;
inline uint64_t HashBytes(const char* bytes, size_t size, uint64_t hash = kEmptyHash) {
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
  }
  return hash;
}
inline uint64_t HashText(const char* text, uint64_t hash = kEmptyHash) {
  for (; *text != '\0'; ++text) hash = HashBytes(text, 1, hash);
  return hash;
}

// Two words as one, at a multiplication: the upper half of the product of 128 bits folded into the
// lower. For hashes that must not show in which order they are summed up, so both words count fully
// (after Wang Yi's wyhash; these are two of its constants).
inline constexpr uint64_t MixTwo(uint64_t a, uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0x2d358dccaa6c78a5u) * (b ^ 0x8bb84b93962eacc9u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// A bijection in which every input bit reaches every output bit (Steele, Lea, Flood: "Fast
// splittable pseudorandom number generators", OOPSLA'14; these are the constants of its MurmurHash3
// variant 13).
inline constexpr uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// SplitMix64, a stream of numbers: advances `state` and returns the next.
inline constexpr uint64_t NextRandom(uint64_t& state) {
  state += kGolden;
  return Mix(state);
}

// A number below `bound`, by multiplication; the bias is below bound / 2^32.
// REQUIRES: bound > 0.
inline constexpr uint32_t NextBelow(uint64_t& state, uint32_t bound) {
  return static_cast<uint32_t>((NextRandom(state) >> 32) * bound >> 32);
}

}  // namespace heddle::base
