// What steps between states were (plan/made_step.h), each once (word_records.h): of most programs
// the same few lead from everywhere to everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explore/visited/word_records.h"
#include "plan/made_step.h"

namespace heddle::explore {

class StepLabels {
 public:
  using Id = WordRecords::Id;
  static constexpr Id kNone = WordRecords::kNone;
  static constexpr size_t kMostMet = 255;
  static constexpr size_t kMostTaken = 255;

  Id Size() const { return records_.Size(); }
  // Of that step. kNone if there is no room, or the step did too much.
  Id Add(const plan::MadeStep& made);
  // Forgets those from `size` on.
  void Truncate(Id size) { records_.Truncate(size); }
  // Makes room for so many more.
  void Reserve(uint32_t more);
  uint64_t Bytes() const { return records_.Bytes(); }

  bool IsStart(Id id) const { return (Head(id) & kStartBit) != 0; }
  bool Changed(Id id) const { return (Head(id) & kChangedBit) != 0; }
  bool Yields(Id id) const { return (Head(id) & kYieldsBit) != 0; }
  op::ThreadId ThreadOf(Id id) const { return static_cast<uint8_t>(Head(id) >> 8); }
  uint32_t LoopOf(Id id) const { return static_cast<uint32_t>(Head(id) >> 32); }
  uint64_t Enabled(Id id) const { return records_[id][1]; }
  uint64_t Stand(Id id) const { return records_[id][2]; }
  uint32_t MetCount(Id id) const { return static_cast<uint8_t>(Head(id) >> 16); }
  plan::Met Met(Id id, uint32_t i) const;
  uint32_t TakenCount(Id id) const { return static_cast<uint8_t>(Head(id) >> 24); }
  plan::Taken Taken(Id id, uint32_t i) const;

 private:
  // In words: the head, who could go on, who stood before an operation, and two for each object
  // met, one for each option taken.
  static constexpr size_t kHeadWords = 3;
  static constexpr uint64_t kStartBit = 1;
  static constexpr uint64_t kChangedBit = 2;
  static constexpr uint64_t kYieldsBit = 4;
  static constexpr uint32_t kWordsOfLabel = 7;  // room for each, on the average

  static constexpr size_t kMostWords = kHeadWords + 2 * kMostMet + kMostTaken;

  uint64_t Head(Id id) const { return records_[id][0]; }

  WordRecords records_;
  std::vector<uint64_t> text_;  // of the step that is added
};

}  // namespace heddle::explore
