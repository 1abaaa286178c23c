#include "explore/visited/word_records.h"

#include "base/hash.h"

namespace heddle::explore {

std::span<const uint64_t> WordRecords::operator[](Id id) const {
  const size_t begin = id == 0 ? 0 : ends_[id - 1];
  return std::span<const uint64_t>(words_).subspan(begin, ends_[id] - begin);
}

// The slot of the record, or the empty one where it belongs. REQUIRES: the index is not empty.
size_t WordRecords::SlotOf(std::span<const uint64_t> record) const {
  uint64_t hash = record.size();
  for (const uint64_t word : record) hash = base::MixTwo(hash + base::kGolden, word);
  const size_t mask = index_.size() - 1;
  size_t slot = hash >> 20 & mask;
  while (index_[slot] != kNone && !std::ranges::equal((*this)[index_[slot]], record))
    slot = (slot + 1) & mask;
  return slot;
}

WordRecords::Id WordRecords::Add(std::span<const uint64_t> record) {
  if (index_.empty()) return kNone;
  const size_t slot = SlotOf(record);
  if (index_[slot] != kNone) return index_[slot];
  if (words_.capacity() - words_.size() < record.size() || ends_.size() == ends_.capacity() ||
      2 * (ends_.size() + 1) > index_.size())
    return kNone;
  words_.insert(words_.end(), record.begin(), record.end());
  index_[slot] = Size();
  ends_.push_back(words_.size());
  return index_[slot];
}

// The last one that was added is in the way of no other one, so its slot is simply empty again.
void WordRecords::Truncate(Id size) {
  while (Size() > size) {
    index_[SlotOf((*this)[Size() - 1])] = kNone;
    ends_.pop_back();
    words_.resize(ends_.empty() ? 0 : ends_.back());
  }
}

void WordRecords::Reserve(size_t records, size_t words) {
  MakeRoom(words_, words);
  MakeRoom(ends_, records);
  size_t slots = index_.empty() ? 1024 : index_.size();
  while (2 * (ends_.size() + records) > slots) slots *= 2;
  if (slots == index_.size()) return;
  index_.assign(slots, kNone);
  for (Id id = 0; id < Size(); ++id) index_[SlotOf((*this)[id])] = id;
}

}  // namespace heddle::explore
