// The states that a search over happens-before graphs has met, by the hash of the graph: the
// hashtable H of MSR-TR-2007-12 (section 3.3), and what is known of the context bounds of their
// steps.
//
// An entry is 40 bytes. The entries are in pages, of which those not used lately go to a temporary
// file; what stays in memory in any case is the index, 11 to 21 bytes a state.
//
// Two graphs with one hash would be one state: what follows the second is then not explored. With n
// states that happens with probability n^2 / 2^65: for a hundred million, 1 in 3,700.
//
// Plain data: part of a State that outlives the process (explorer.h).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/paged_array.h"

namespace heddle::explore {

class StateTable {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0;
  static constexpr uint8_t kUnknown = 0xff;

  struct Entry {
    uint64_t hash = 0;
    // Steps from here whose successor is in H: for the bound of `epoch` only, and for every bound.
    uint64_t closed = 0;
    uint64_t forever = 0;
    // CB(s, t) is `most` - 1 for the threads in `less`, and `most` for all others
    // (context_bound.h).
    uint64_t less = 0;
    uint8_t most = kUnknown;
    uint8_t searched = kUnknown;  // up to this bound `most` is exact; beyond, it is a lower limit
    uint8_t epoch = 0;
    bool in_table = false;          // the state is in H, for the bound of `epoch`
    bool in_table_forever = false;  // ... for every bound
  };
  static_assert(sizeof(Entry) == 40);

  StateTable() : entries_(kSpillAt, kMemoryLimit) {}

  void SetSpill(Spill* spill) { entries_.SetSpill(spill); }
  bool Lost() const { return entries_.Lost(); }
  uint64_t Size() const { return entries_.Size() == 0 ? 0 : entries_.Size() - 1; }

  // kNone if there is none with this hash.
  Id Find(uint64_t hash) const;
  // A new one if there is none.
  Id At(uint64_t hash);
  // Valid until the next call of any of these.
  const Entry& operator[](Id id) const { return entries_[id]; }
  Entry& Edit(Id id) { return entries_.Edit(id); }

 private:
  static constexpr uint64_t kSpillAt = 0;
  static constexpr uint64_t kMemoryLimit = uint64_t{512} << 20;  // bytes

  struct Slot {
    Id id;         // kNone: empty
    uint32_t tag;  // the upper half of the hash
  };
  size_t SlotOf(uint64_t hash) const;
  void Grow();

  PagedArray<Entry> entries_;
  std::vector<Slot> index_;
};

}  // namespace heddle::explore
