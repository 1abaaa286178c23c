#include "explore/visited/exact_states.h"

#include <algorithm>

#include "base/hash.h"

namespace heddle::explore {

std::span<const uint64_t> ExactStates::Record(Id id) const {
  const size_t begin = id == 0 ? 0 : record_ends_[id - 1];
  return std::span<const uint64_t>(words_).subspan(begin, record_ends_[id] - begin);
}

std::span<const ExactStates::Id> ExactStates::List(uint32_t state) const {
  const size_t begin = state == 0 ? 0 : list_ends_[state - 1];
  return std::span<const Id>(lists_).subspan(begin, list_ends_[state] - begin);
}

size_t ExactStates::SlotOf(std::span<const uint64_t> record) const {
  uint64_t hash = record.size();
  for (const uint64_t word : record) hash = base::MixTwo(hash + base::kGolden, word);
  const size_t mask = index_.size() - 1;
  size_t slot = hash >> 20 & mask;
  while (index_[slot] != kNone && !std::ranges::equal(Record(index_[slot]), record))
    slot = (slot + 1) & mask;
  return slot;
}

// The number of the record, which is kept if it was not. kNone: there is no room.
ExactStates::Id ExactStates::Find(std::span<const uint64_t> record) {
  if (index_.empty()) return kNone;
  const size_t slot = SlotOf(record);
  if (index_[slot] != kNone) return index_[slot];
  if (words_.capacity() - words_.size() < record.size() ||
      record_ends_.size() == record_ends_.capacity() ||
      2 * (record_ends_.size() + 1) > index_.size())
    return kNone;
  words_.insert(words_.end(), record.begin(), record.end());
  index_[slot] = Records();
  record_ends_.push_back(words_.size());
  return index_[slot];
}

bool ExactStates::Take(const base::Transcript& text, uint64_t apart) {
  taken_.clear();
  if (text.lacks_room || text.records + 1 > taken_.capacity()) return false;
  const uint64_t last[] = {apart};
  for (size_t i = 0; i <= text.records; ++i) {
    const Id id = Find(i < text.records ? text.Record(i) : std::span<const uint64_t>(last));
    if (id == kNone) return false;
    taken_.push_back(id);
  }
  std::ranges::sort(taken_);
  return true;
}

bool ExactStates::IsSame(uint32_t state) const { return std::ranges::equal(List(state), taken_); }

bool ExactStates::Keep() {
  if (lists_.capacity() - lists_.size() < taken_.size() ||
      list_ends_.size() == list_ends_.capacity())
    return false;
  lists_.insert(lists_.end(), taken_.begin(), taken_.end());
  list_ends_.push_back(lists_.size());
  return true;
}

// The record that was added last is in the way of no other one, so its slot is simply empty again.
void ExactStates::Truncate(uint32_t size, Id records) {
  list_ends_.resize(size);
  lists_.resize(size == 0 ? 0 : list_ends_.back());
  while (Records() > records) {
    index_[SlotOf(Record(Records() - 1))] = kNone;
    record_ends_.pop_back();
    words_.resize(record_ends_.empty() ? 0 : record_ends_.back());
  }
}

void ExactStates::Reserve() {
  const auto reserve = [](auto& all, size_t more) {
    const size_t wanted = all.size() + more;
    if (all.capacity() < wanted) all.reserve(std::max(wanted, all.size() + all.size() / 2));
  };
  reserve(words_, kRoomWords);
  reserve(record_ends_, kRoomRecords);
  reserve(lists_, kRoomWords / 8);
  reserve(list_ends_, kRoomRecords);
  taken_.reserve(size_t{1} << 16);
  size_t slots = index_.empty() ? 1024 : index_.size();
  while (2 * (Records() + kRoomRecords) > slots) slots *= 2;
  if (slots == index_.size()) return;
  index_.assign(slots, kNone);
  for (Id id = 0; id < Records(); ++id) index_[SlotOf(Record(id))] = id;
}

uint64_t ExactStates::Bytes() const {
  return words_.capacity() * sizeof(uint64_t) +
         (record_ends_.capacity() + list_ends_.capacity()) * sizeof(size_t) +
         (index_.capacity() + lists_.capacity()) * sizeof(Id);
}

}  // namespace heddle::explore
