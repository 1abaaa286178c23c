#include "explore/visited/exact_states.h"

#include <algorithm>

namespace heddle::explore {

std::span<const ExactStates::Id> ExactStates::List(uint32_t state) const {
  const size_t begin = state == 0 ? 0 : list_ends_[state - 1];
  return std::span<const Id>(lists_).subspan(begin, list_ends_[state] - begin);
}

bool ExactStates::Take(const base::Transcript& text, uint64_t apart) {
  taken_.clear();
  if (text.lacks_room || text.records + 1 > taken_.capacity()) return false;
  const uint64_t last[] = {apart};
  for (size_t i = 0; i <= text.records; ++i) {
    const Id id = records_.Add(i < text.records ? text.Record(i) : last);
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

void ExactStates::Truncate(uint32_t size, Id records) {
  list_ends_.resize(size);
  lists_.resize(size == 0 ? 0 : list_ends_.back());
  records_.Truncate(records);
}

void ExactStates::Reserve() {
  records_.Reserve(kRoomRecords, kRoomWords);
  MakeRoom(lists_, kRoomWords / 8);
  MakeRoom(list_ends_, kRoomRecords);
  taken_.reserve(size_t{1} << 16);
}

uint64_t ExactStates::Bytes() const {
  return records_.Bytes() + list_ends_.capacity() * sizeof(size_t) + lists_.capacity() * sizeof(Id);
}

}  // namespace heddle::explore
