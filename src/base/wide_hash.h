// A hash of 128 bits, for states that are told apart by nothing else: with n of them, two have the
// same one with probability n^2 / 2^129 (a hundred million: 1 in 10^22). Two chains of hash.h's
// mixing that see every word in different places.
//
// Words are put in in order. Where there is none (a set), the hashes of the members are summed up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "base/transcript.h"

namespace heddle::base {

struct WideHash {
  uint64_t a = 0;
  uint64_t b = 0;

  void Put(uint64_t word) {
    if (__builtin_expect(g_transcript != nullptr, 0)) g_transcript->Put(word);
    a = MixTwo(a + kGolden, word);
    b = MixTwo(b ^ word, kGolden + (b >> 32));
  }
  void Put(const WideHash& other) {
    Put(other.a);
    Put(other.b);
  }
  // REQUIRES: whole words, at an address that they may have.
  void PutWords(const void* begin, size_t bytes) {
    const auto* word = static_cast<const uint64_t*>(begin);
    for (const uint64_t* end = word + bytes / sizeof *word; word != end; ++word) Put(*word);
  }
  // One more member of a set.
  void Sum(const WideHash& other) {
    if (__builtin_expect(g_transcript != nullptr, 0)) g_transcript->EndRecord();
    a += MixTwo(other.a, other.b + 1);
    b += MixTwo(other.b, other.a + 2);
  }

  friend bool operator==(const WideHash&, const WideHash&) = default;
};

}  // namespace heddle::base
