#include "explore/hb/state_table.h"

#include <utility>

namespace heddle::explore {

// The slot of the state, or the empty one where it belongs. REQUIRES: the part is not empty.
size_t StateTable::SlotOf(const Part& part, Tag tag, uint64_t hash) const {
  const size_t mask = part.slots.size() - 1;
  size_t slot = tag & mask;
  while (part.slots[slot].id != kNone) {
    if (part.slots[slot].tag == tag && entries_[part.slots[slot].id].hash == hash) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StateEntry StateTable::Get(uint64_t hash) const {
  if (IsShared()) return shared_.Get(hash);
  const Tag tag = TagOf(hash);
  const Part& part = index_[PartOf(tag)];
  const Id id = part.slots.empty() ? kNone : part.slots[SlotOf(part, tag, hash)].id;
  return id == kNone ? StateEntry() : entries_[id];
}

StateTable::Id StateTable::At(uint64_t hash) {
  const Tag tag = TagOf(hash);
  Part& part = index_[PartOf(tag)];
  if (4 * (part.used + 1) > 3 * part.slots.size()) Grow(part);
  Slot& slot = part.slots[SlotOf(part, tag, hash)];
  if (slot.id != kNone) return slot.id;
  if (entries_.Size() == 0) entries_.Grow();  // number 0 is nobody's
  entries_.Grow();
  ++part.used;
  slot = {entries_.Size() - 1, tag};
  StateEntry& entry = entries_.Edit(slot.id);
  entry = {};
  entry.hash = hash;
  return slot.id;
}

void StateTable::Grow(Part& part) {
  const std::vector<Slot> before = std::move(part.slots);
  part.slots.assign(before.empty() ? 16 : 2 * before.size(), {kNone, 0});
  const size_t mask = part.slots.size() - 1;
  for (const Slot& old : before) {
    if (old.id == kNone) continue;
    size_t slot = old.tag & mask;
    while (part.slots[slot].id != kNone) slot = (slot + 1) & mask;
    part.slots[slot] = old;
  }
}

}  // namespace heddle::explore
