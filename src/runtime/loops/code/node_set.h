// A set of the places of a piece of code, by their numbers.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle::runtime {

template <uint32_t kMost>
struct NodeSet {
  static constexpr uint32_t kWords = kMost / 64;
  uint64_t words[kWords] = {};

  void Fill() { std::fill_n(words, kWords, ~uint64_t{0}); }
  void Add(uint32_t node) { words[node / 64] |= uint64_t{1} << node % 64; }
  bool Has(uint32_t node) const { return (words[node / 64] >> node % 64 & 1) != 0; }
  void Remove(const NodeSet& other) {
    for (uint32_t i = 0; i < kWords; ++i) words[i] &= ~other.words[i];
  }
  void Intersect(const NodeSet& other) {
    for (uint32_t i = 0; i < kWords; ++i) words[i] &= other.words[i];
  }
  bool IsIn(const NodeSet& other) const {
    for (uint32_t i = 0; i < kWords; ++i)
      if ((words[i] & ~other.words[i]) != 0) return false;
    return true;
  }
  bool operator==(const NodeSet&) const = default;
};

}  // namespace heddle::runtime
