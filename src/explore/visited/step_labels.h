// What steps between states were (plan/made_step.h), each once: of most programs the same few lead
// from everywhere to everywhere. Numbers from 0 on.
//
// Like the table of keys (key_table.h): added to on the way of an event, so it never allocates
// there, and plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/made_step.h"

namespace heddle::explore {

class StepLabels {
 public:
  using Id = uint32_t;
  static constexpr Id kNone = 0xffffffffu;
  static constexpr size_t kMostMet = 255;
  static constexpr size_t kMostTaken = 255;

  Id Size() const { return static_cast<Id>(ends_.size()); }
  // Of that step. kNone if there is no room, or the step did too much.
  Id Add(const plan::MadeStep& made);
  // Forgets those from `size` on.
  void Truncate(Id size);
  // Makes room for so many more.
  void Reserve(uint32_t more);
  uint64_t Bytes() const {
    return words_.capacity() * sizeof(uint64_t) +
           (ends_.capacity() + index_.capacity()) * sizeof(Id);
  }

  bool IsStart(Id id) const { return (Head(id) & kStartBit) != 0; }
  bool Changed(Id id) const { return (Head(id) & kChangedBit) != 0; }
  bool Yields(Id id) const { return (Head(id) & kYieldsBit) != 0; }
  op::ThreadId ThreadOf(Id id) const { return static_cast<uint8_t>(Head(id) >> 8); }
  uint64_t Enabled(Id id) const { return words_[BeginOf(id) + 1]; }
  uint32_t MetCount(Id id) const { return static_cast<uint8_t>(Head(id) >> 16); }
  plan::Met Met(Id id, uint32_t i) const;
  uint32_t TakenCount(Id id) const { return static_cast<uint8_t>(Head(id) >> 24); }
  plan::Taken Taken(Id id, uint32_t i) const;

 private:
  // In words: the head, who could go on, and two for each object met, one for each option taken.
  static constexpr uint64_t kStartBit = 1;
  static constexpr uint64_t kChangedBit = 2;
  static constexpr uint64_t kYieldsBit = 4;
  static constexpr uint32_t kWordsOfLabel = 6;  // room for each, on the average

  uint64_t Head(Id id) const { return words_[BeginOf(id)]; }
  size_t BeginOf(Id id) const { return id == 0 ? 0 : ends_[id - 1]; }
  size_t EndOf(Id id) const { return ends_[id]; }
  uint64_t HashOf(size_t begin, size_t end) const;
  bool IsSame(Id id, size_t begin, size_t end) const;
  size_t SlotOf(size_t begin, size_t end) const;

  std::vector<uint64_t> words_;
  std::vector<uint32_t> ends_;
  std::vector<Id> index_;  // a power of two of slots, at most half full
};

}  // namespace heddle::explore
