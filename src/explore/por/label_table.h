// Labels by number: each is kept once, however many nodes of the execution tree have it. There are
// no more than threads, objects and options make different ones, so none is ever forgotten.
//
// Plain data on heddle's heap (explorer.h).
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "explore/label.h"

namespace heddle::explore {

class LabelTable {
 public:
  using Number = uint32_t;

  Number NumberOf(const Label& label);
  const Label& operator[](Number number) const { return labels_[number]; }  // stays where it is

 private:
  std::deque<Label> labels_;
  std::unordered_multimap<uint64_t, Number> numbers_;  // by hash
};

}  // namespace heddle::explore
