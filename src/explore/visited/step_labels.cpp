#include "explore/visited/step_labels.h"

#include <algorithm>

#include "base/hash.h"

namespace heddle::explore {

uint64_t StepLabels::HashOf(size_t begin, size_t end) const {
  uint64_t hash = end - begin;
  for (size_t i = begin; i < end; ++i) hash = base::MixTwo(hash + base::kGolden, words_[i]);
  return hash;
}

bool StepLabels::IsSame(Id id, size_t begin, size_t end) const {
  const size_t size = EndOf(id) - BeginOf(id);
  return size == end - begin && std::equal(words_.begin() + static_cast<ptrdiff_t>(begin),
                                           words_.begin() + static_cast<ptrdiff_t>(end),
                                           words_.begin() + static_cast<ptrdiff_t>(BeginOf(id)));
}

// The slot of these words, or the empty one where they belong. REQUIRES: the index is not empty.
size_t StepLabels::SlotOf(size_t begin, size_t end) const {
  const size_t mask = index_.size() - 1;
  size_t slot = HashOf(begin, end) >> 20 & mask;
  while (index_[slot] != kNone && !IsSame(index_[slot], begin, end)) slot = (slot + 1) & mask;
  return slot;
}

StepLabels::Id StepLabels::Add(const plan::MadeStep& made) {
  const size_t words = 2 + 2 * made.met.size() + made.taken.size();
  if (made.met.size() > kMostMet || made.taken.size() > kMostTaken || made.thread > 255 ||
      words_.capacity() - words_.size() < words || ends_.size() == ends_.capacity() ||
      2 * (ends_.size() + 1) > index_.size())
    return kNone;
  const size_t begin = words_.size();
  words_.push_back((made.is_start ? kStartBit : 0) | (made.changed ? kChangedBit : 0) |
                   (made.yields ? kYieldsBit : 0) | uint64_t{made.thread} << 8 |
                   uint64_t{made.met.size()} << 16 | uint64_t{made.taken.size()} << 24);
  words_.push_back(made.enabled);
  for (const plan::Met& met : made.met) {
    words_.push_back(uint64_t{met.object} << 32 | met.level);
    words_.push_back(uint64_t{met.thread} << 8 | met.facts);
  }
  for (const plan::Taken& taken : made.taken)
    words_.push_back(uint64_t{taken.thread} << 32 | taken.option);
  const size_t slot = SlotOf(begin, words_.size());
  if (index_[slot] != kNone) {
    words_.resize(begin);
    return index_[slot];
  }
  const Id id = Size();
  ends_.push_back(static_cast<uint32_t>(words_.size()));
  index_[slot] = id;
  return id;
}

// The last one that was added is in the way of no other one, so its slot is simply empty again.
void StepLabels::Truncate(Id size) {
  while (Size() > size) {
    const size_t begin = BeginOf(Size() - 1);
    index_[SlotOf(begin, words_.size())] = kNone;
    ends_.pop_back();
    words_.resize(begin);
  }
}

void StepLabels::Reserve(uint32_t more) {
  const size_t wanted = ends_.size() + more;
  if (ends_.capacity() < wanted) ends_.reserve(std::max(wanted, 2 * ends_.capacity()));
  const size_t words = words_.size() + size_t{more} * kWordsOfLabel;
  if (words_.capacity() < words) words_.reserve(std::max(words, 2 * words_.capacity()));
  size_t slots = index_.empty() ? 1024 : index_.size();
  while (2 * wanted > slots) slots *= 2;
  if (slots == index_.size()) return;
  index_.assign(slots, kNone);
  for (Id id = 0; id < Size(); ++id) index_[SlotOf(BeginOf(id), EndOf(id))] = id;
}

plan::Met StepLabels::Met(Id id, uint32_t i) const {
  const uint64_t* const words = words_.data() + BeginOf(id) + 2 + 2 * size_t{i};
  return {static_cast<uint32_t>(words[0] >> 32), static_cast<op::Level>(words[0]),
          static_cast<op::ThreadId>(words[1] >> 8), static_cast<uint8_t>(words[1])};
}

plan::Taken StepLabels::Taken(Id id, uint32_t i) const {
  const uint64_t word = words_[BeginOf(id) + 2 + 2 * size_t{MetCount(id)} + i];
  return {static_cast<op::ThreadId>(word >> 32), static_cast<uint32_t>(word)};
}

}  // namespace heddle::explore
