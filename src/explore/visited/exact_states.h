// The states themselves, beside their hashes (--exact): what is hashed of each (base/transcript.h).
// States differ in few records mostly (a page, a thread), so every record is kept once, and a state
// is a sorted list of records: two states are the same, to the last word, if their lists are.
//
// Added to on the way of an event, so it never allocates there, and plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/transcript.h"
#include "explore/visited/word_records.h"

namespace heddle::explore {

class ExactStates {
 public:
  using Id = WordRecords::Id;
  static constexpr Id kNone = WordRecords::kNone;

  uint32_t Size() const { return static_cast<uint32_t>(list_ends_.size()); }
  // The next calls are about this state. `apart`: tells it apart, too. False: there is no room.
  bool Take(const base::Transcript& text, uint64_t apart);
  // Is it number `state`?
  bool IsSame(uint32_t state) const;
  // It is the next number. False: there is no room.
  bool Keep();
  // Forgets states from `size` on, with the records of theirs that no other one has.
  void Truncate(uint32_t size, Id records);
  Id Records() const { return records_.Size(); }
  // Makes room for the states of one more execution.
  void Reserve();
  uint64_t Bytes() const;
  // What another Reserve would make of Bytes(), at its highest.
  uint64_t BytesThen() const { return 2 * Bytes() + kRoomBytes; }

 private:
  static constexpr size_t kRoomWords = size_t{1} << 20;
  static constexpr size_t kRoomRecords = size_t{1} << 17;
  static constexpr uint64_t kRoomBytes = kRoomWords * 8 + kRoomRecords * 24;

  std::span<const Id> List(uint32_t state) const;

  WordRecords records_;
  std::vector<Id> lists_;
  std::vector<size_t> list_ends_;
  std::vector<Id> taken_;  // sorted
};

}  // namespace heddle::explore
