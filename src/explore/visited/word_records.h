// Sequences of words, each kept once, numbered from 0 on.
//
// Like the table of keys (key_table.h): added to on the way of an event, so it never allocates
// there, and plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::explore {

// Makes room for `more`. Takes time in proportion to what is there, once whenever it has grown by
// half.
template <typename T>
void MakeRoom(std::vector<T>& all, size_t more) {
  const size_t wanted = all.size() + more;
  if (all.capacity() < wanted) all.reserve(std::max(wanted, all.capacity() + all.capacity() / 2));
}

class WordRecords {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0xffffffffu;

  Id Size() const { return static_cast<Id>(ends_.size()); }
  std::span<const uint64_t> operator[](Id id) const;
  // The number of `record`, which is kept if it was not there. kNone: there is no room.
  Id Add(std::span<const uint64_t> record);
  // Forgets those from `size` on, the last ones first.
  void Truncate(Id size);
  // Makes room for so many more records, and words of them all together.
  void Reserve(size_t records, size_t words);
  uint64_t Bytes() const {
    return words_.capacity() * sizeof(uint64_t) + ends_.capacity() * sizeof(size_t) +
           index_.capacity() * sizeof(Id);
  }

 private:
  size_t SlotOf(std::span<const uint64_t> record) const;

  std::vector<uint64_t> words_;
  std::vector<size_t> ends_;
  std::vector<Id> index_;  // a power of two of slots, at most half full
};

}  // namespace heddle::explore
