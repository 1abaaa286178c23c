// Keys of 128 bits that a search has met, each with where it was met first, in a table that is
// added to on the way of an event: so it never allocates there. There is room for what Reserve
// said; beyond that nothing is taken up, and the caller goes on without.
//
// An entry is 24 bytes, and the index has 6 to 11 bytes for each, so a key costs 30 to 35 bytes.
//
// Plain data: part of a State that outlives the process (explorer.h). A process may die between any
// two instructions: an entry counts when it is in the index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/visited.h"

namespace heddle::explore {

class KeyTable {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0xffffffffu;

  struct Entry {
    plan::Key key;
    Id parent = kNone;  // that was met before it, where it was met first
    uint32_t step = 0;  // of the execution that met it first
  };
  static_assert(sizeof(Entry) == 24);

  Id Size() const { return static_cast<Id>(entries_.size()); }
  const Entry& operator[](Id id) const { return entries_[id]; }
  Id Find(plan::Key key) const;
  // REQUIRES: it is not there. kNone if there is no room.
  Id Add(plan::Key key, Id parent, uint32_t step);
  // Forgets those from `size` on, the last ones first.
  void Truncate(Id size);
  // Makes room for `more`. Takes time in proportion to what is there, once whenever it doubles.
  void Reserve(uint32_t more);
  uint64_t Bytes() const {
    return entries_.capacity() * sizeof(Entry) + index_.capacity() * sizeof(Id);
  }
  // What another Reserve(more) would make of Bytes(), at its highest.
  uint64_t BytesWith(uint32_t more) const;

 private:
  size_t SlotOf(plan::Key key) const;

  std::vector<Entry> entries_;
  std::vector<Id> index_;  // a power of two of slots, at most 3/4 full
};

}  // namespace heddle::explore
