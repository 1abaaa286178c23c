// The words that a state was hashed of, for whoever wants to compare states themselves (--exact):
// wide_hash.h writes them down while there is a transcript.
//
// A hash that is added to a set (WideHash::Sum) ends a *record*. A set has no order, so two states
// are the same if they have the same records, in whatever order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::base {

struct Transcript {
  std::span<uint64_t> word_room;
  std::span<uint32_t> end_room;
  size_t words = 0;
  size_t records = 0;
  bool lacks_room = false;

  void Put(uint64_t word) {
    if (words == word_room.size())
      lacks_room = true;
    else
      word_room[words++] = word;
  }
  void EndRecord() {
    if (records == end_room.size())
      lacks_room = true;
    else
      end_room[records++] = static_cast<uint32_t>(words);
  }
  std::span<const uint64_t> Record(size_t i) const {
    const size_t begin = i == 0 ? 0 : end_room[i - 1];
    return std::span<const uint64_t>(word_room).subspan(begin, end_room[i] - begin);
  }
};

// What is being hashed is written down there; null: nowhere.
extern Transcript* g_transcript;

}  // namespace heddle::base
