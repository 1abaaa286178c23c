#include "explore/visited/key_table.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/visited/word_records.h"

namespace heddle::explore {

// The slot of the key, or the empty one where it belongs. REQUIRES: the index is not empty.
size_t KeyTable::SlotOf(plan::Key key) const {
  const size_t mask = index_.size() - 1;
  size_t slot = base::Spread(key.words[0]) >> 20 & mask;
  while (index_[slot] != kNone && !(entries_[index_[slot]].key == key)) slot = (slot + 1) & mask;
  return slot;
}

KeyTable::Id KeyTable::Find(plan::Key key) const {
  return index_.empty() ? kNone : index_[SlotOf(key)];
}

KeyTable::Id KeyTable::Add(plan::Key key, Id parent, uint32_t step) {
  if (entries_.size() == entries_.capacity() || 4 * (entries_.size() + 1) > 3 * index_.size())
    return kNone;
  const Id id = Size();
  entries_.push_back({key, parent, step});
  index_[SlotOf(key)] = id;
  return id;
}

// The last one that was added is in the way of no other one, so its slot is simply empty again.
void KeyTable::Truncate(Id size) {
  while (Size() > size) {
    index_[SlotOf(entries_.back().key)] = kNone;
    entries_.pop_back();
  }
}

void KeyTable::Reserve(uint32_t more) {
  MakeRoom(entries_, more);
  size_t slots = index_.empty() ? 1024 : index_.size();
  while (4 * (entries_.size() + more) > 3 * slots) slots *= 2;
  if (slots == index_.size()) return;
  index_.assign(slots, kNone);
  for (Id id = 0; id < Size(); ++id) index_[SlotOf(entries_[id].key)] = id;
}

uint64_t KeyTable::BytesWith(uint32_t more) const {
  const size_t wanted = entries_.size() + more;
  uint64_t bytes = Bytes();
  if (entries_.capacity() < wanted)
    bytes += std::max(wanted, entries_.capacity() + entries_.capacity() / 2) * sizeof(Entry);
  size_t slots = index_.empty() ? 1024 : index_.size();
  while (4 * wanted > 3 * slots) slots *= 2;
  if (slots != index_.size()) bytes += slots * sizeof(Id);
  return bytes;
}

}  // namespace heddle::explore
