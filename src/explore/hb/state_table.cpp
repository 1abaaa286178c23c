#include "explore/hb/state_table.h"

#include "base/hash.h"

namespace heddle::explore {

// The slot of the state, or the empty one where it belongs. REQUIRES: the index is not empty.
size_t StateTable::SlotOf(uint64_t hash) const {
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const size_t mask = index_.size() - 1;
  size_t slot = base::Spread(hash) >> 32 & mask;
  while (index_[slot].id != kNone) {
    if (index_[slot].tag == tag && entries_[index_[slot].id].hash == hash) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StateEntry StateTable::Get(uint64_t hash) const {
  if (IsShared()) return shared_.Get(hash);
  const Id id = index_.empty() ? kNone : index_[SlotOf(hash)].id;
  return id == kNone ? StateEntry() : entries_[id];
}

StateTable::Id StateTable::At(uint64_t hash) {
  if (4 * (uint64_t{entries_.Size()} + 1) > 3 * index_.size()) Grow();
  Slot& slot = index_[SlotOf(hash)];
  if (slot.id != kNone) return slot.id;
  if (entries_.Size() == 0) entries_.Grow();  // number 0 is nobody's
  entries_.Grow();
  slot = {entries_.Size() - 1, static_cast<uint32_t>(hash >> 32)};
  StateEntry& entry = entries_.Edit(slot.id);
  entry = {};
  entry.hash = hash;
  return slot.id;
}

void StateTable::Grow() {
  index_.assign(index_.empty() ? 1024 : 2 * index_.size(), {kNone, 0});
  const size_t mask = index_.size() - 1;
  for (Id id = 1; id < entries_.Size(); ++id) {
    const uint64_t hash = entries_[id].hash;
    size_t slot = base::Spread(hash) >> 32 & mask;
    while (index_[slot].id != kNone) slot = (slot + 1) & mask;
    index_[slot] = {id, static_cast<uint32_t>(hash >> 32)};
  }
}

}  // namespace heddle::explore
