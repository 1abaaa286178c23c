#include "explore/por/label_table.h"

#include "base/hash.h"

namespace heddle::explore {
namespace {

uint64_t Hash(const Label& label) {
  uint64_t hash = base::Mix(label.thread + 1);
  for (const Touch& touch : label.touches) {
    hash = base::Mix(hash + (uint64_t{touch.object} << 8 | static_cast<uint8_t>(touch.access)));
  }
  for (const plan::ScriptOption& option : label.options) {
    hash = base::Mix(hash ^ (uint64_t{option.thread} << 32 | option.option));
  }
  return hash;
}

}  // namespace

LabelTable::Number LabelTable::NumberOf(const Label& label) {
  const uint64_t hash = Hash(label);
  const auto [begin, end] = numbers_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (labels_[at->second] == label) return at->second;
  }
  const auto number = static_cast<Number>(labels_.size());
  labels_.push_back(label);
  numbers_.emplace(hash, number);
  return number;
}

}  // namespace heddle::explore
