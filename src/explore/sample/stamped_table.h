// A hash table that is emptied at no cost, and does not grow while an execution runs: nothing is
// allocated on the way of an event. What does not fit is left out until the next execution has
// room.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace heddle::explore {

template <typename Value>
class StampedTable {
 public:
  // Makes room for twice as many as there were at a time. REQUIRES: no execution runs. Keeps what
  // is in it.
  void Reserve() {
    if (!slots_.empty() && 4 * peak_ <= slots_.size()) return;
    size_t size = slots_.empty() ? kLeast : slots_.size();
    while (size < 4 * peak_) size *= 2;
    if (size > kMost) size = kMost;
    if (size == slots_.size()) return;
    std::vector<Slot> old(size);
    old.swap(slots_);
    std::vector<uint32_t> used;
    used.swap(used_);
    used_.reserve(size / 2);
    for (uint32_t at : used) *Add(old[at].key) = old[at].value;
  }

  // Empties it.
  void Begin() {
    ++stamp_;
    used_.clear();
  }

  // The value of the key; null: it is not there.
  Value* Find(uint64_t key) {
    Slot& slot = SlotOf(key);
    return slot.stamp == stamp_ ? &slot.value : nullptr;
  }
  // The same, and puts Value() there if it is not; null: it is full. REQUIRES: Reserve was called.
  Value* Add(uint64_t key) {
    Slot& slot = SlotOf(key);
    if (slot.stamp == stamp_) return &slot.value;
    if (2 * used_.size() >= slots_.size()) return nullptr;
    slot = {stamp_, key, Value()};
    used_.push_back(static_cast<uint32_t>(&slot - slots_.data()));
    if (used_.size() > peak_) peak_ = used_.size();
    return &slot.value;
  }

  size_t Size() const { return used_.size(); }
  // In the order in which they were put there.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint32_t at : used_) visit(slots_[at].key, slots_[at].value);
  }

 private:
  static constexpr size_t kLeast = size_t{1} << 8;
  static constexpr size_t kMost = size_t{1} << 20;

  struct Slot {
    uint64_t stamp = 0;
    uint64_t key = 0;
    Value value = {};
  };

  // Where the key is, or is to go. There is a free one.
  Slot& SlotOf(uint64_t key) {
    size_t at = base::Mix(key) & (slots_.size() - 1);
    while (slots_[at].stamp == stamp_ && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  std::vector<Slot> slots_;     // a power of two; at most half of them in use
  std::vector<uint32_t> used_;  // reserved
  uint64_t stamp_ = 1;
  size_t peak_ = 0;
};

}  // namespace heddle::explore
