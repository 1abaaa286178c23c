// The states that a search over happens-before graphs has met, by the hash of the graph: the
// hashtable H of MSR-TR-2007-12 (section 3.3), and what is known of the context bounds of their
// steps.
//
// An entry is 48 bytes. Of a search by itself they are in pages, of which those not used lately go
// to a temporary file; what stays in memory in any case is the index, 11 to 21 bytes a state. Of
// several searches that make one, all have one table (shared_states.h), and each change below is
// made at once.
//
// Two graphs with one hash would be one state: what follows the second is then not explored. With n
// states that happens with probability n^2 / 2^65: for a hundred million, 1 in 3,700.
//
// Plain data: part of a State that outlives the process (explorer.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "explore/hb/shared_states.h"
#include "explore/hb/state_entry.h"
#include "explore/paged_array.h"

namespace heddle::explore {

class StateTable {
 public:
  StateTable() : entries_(kSpillAt, kMemoryLimit) {}

  void SetSpill(Spill* spill) { entries_.SetSpill(spill); }
  // From now on the states are there. REQUIRES: so far there is none, or they have been there.
  void SetShared(const SharedMemory& memory) {
    if (!shared_.IsAt(memory)) shared_ = SharedStates(memory);
  }
  SharedStates& Shared() { return shared_; }
  bool IsShared() const { return shared_.IsThere(); }
  bool Lost() const { return entries_.Lost(); }
  bool IsFull() const { return IsShared() ? shared_.IsFull() : entries_.Size() > kMostStates; }
  uint64_t Size() const {
    if (IsShared()) return shared_.Size();
    return entries_.Size() == 0 ? 0 : entries_.Size() - 1;
  }

  // One without hash if there is none.
  StateEntry Get(uint64_t hash) const;
  // Makes one if there is none. Answers what `change` does.
  template <typename Change>
  auto Edit(uint64_t hash, const Change& change) {
    return IsShared() ? shared_.Edit(hash, change) : change(entries_.Edit(At(hash)));
  }

 private:
  using Id = uint32_t;
  static constexpr Id kNone = 0;
  static constexpr uint64_t kSpillAt = 0;
  static constexpr uint64_t kMemoryLimit = uint64_t{512} << 20;  // bytes
  // Some 4 GB, most of it in a temporary file.
  static constexpr uint64_t kMostStates = uint64_t{1} << 26;

  // Of the hash, as far as the index has it: its first bits tell the part of the index, its last
  // ones the slot. So a part grows without a look at the entries, and none takes long: a search has
  // to end within a second.
  using Tag = uint32_t;
  static constexpr uint32_t kPartBits = 8;
  struct Slot {
    Id id;  // kNone: empty
    Tag tag;
  };
  struct Part {
    std::vector<Slot> slots;  // a power of two, or none
    uint64_t used = 0;
  };
  static Tag TagOf(uint64_t hash) { return static_cast<Tag>(base::Spread(hash) >> 32); }
  static size_t PartOf(Tag tag) { return tag >> (32 - kPartBits); }
  static void Grow(Part& part);
  size_t SlotOf(const Part& part, Tag tag, uint64_t hash) const;
  Id At(uint64_t hash);

  PagedArray<StateEntry> entries_;
  std::array<Part, size_t{1} << kPartBits> index_;
  SharedStates shared_;
};

}  // namespace heddle::explore
