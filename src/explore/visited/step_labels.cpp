#include "explore/visited/step_labels.h"

#include <span>

namespace heddle::explore {

StepLabels::Id StepLabels::Add(const plan::MadeStep& made) {
  const size_t words = kHeadWords + 2 * made.met.size() + made.taken.size();
  if (made.met.size() > kMostMet || made.taken.size() > kMostTaken || made.thread > 255 ||
      text_.capacity() < words)
    return kNone;
  text_.clear();
  text_.push_back((made.is_start ? kStartBit : 0) | (made.changed ? kChangedBit : 0) |
                  (made.yields ? kYieldsBit : 0) | uint64_t{made.thread} << 8 |
                  uint64_t{made.met.size()} << 16 | uint64_t{made.taken.size()} << 24 |
                  uint64_t{made.loop} << 32);
  text_.push_back(made.enabled);
  text_.push_back(made.stand);
  for (const plan::Met& met : made.met) {
    text_.push_back(uint64_t{met.object} << 32 | met.level);
    text_.push_back(uint64_t{met.thread} << 8 | met.facts);
  }
  for (const plan::Taken& taken : made.taken)
    text_.push_back(uint64_t{taken.thread} << 32 | taken.option);
  return records_.Add(text_);
}

void StepLabels::Reserve(uint32_t more) {
  records_.Reserve(more, size_t{more} * kWordsOfLabel);
  text_.reserve(kMostWords);
}

plan::Met StepLabels::Met(Id id, uint32_t i) const {
  const std::span<const uint64_t> words = records_[id].subspan(kHeadWords + 2 * size_t{i}, 2);
  return {static_cast<uint32_t>(words[0] >> 32), static_cast<op::Level>(words[0]),
          static_cast<op::ThreadId>(words[1] >> 8), static_cast<uint8_t>(words[1])};
}

plan::Taken StepLabels::Taken(Id id, uint32_t i) const {
  const uint64_t word = records_[id][kHeadWords + 2 * size_t{MetCount(id)} + i];
  return {static_cast<op::ThreadId>(word >> 32), static_cast<uint32_t>(word)};
}

}  // namespace heddle::explore
