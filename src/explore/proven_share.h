// How much of a search its prover has behind it: of the first schedules that were drawn at random,
// the share whose happens-before graph the prover has run by now.
//
// Knuth's estimate (estimate.h) says how many graphs there are, and takes a walk over the prefixes
// of each graph for it. This says only how far the prover has come, and is a look into a small
// table. Graphs are not equally likely to be drawn, and the prover comes to the likely ones sooner
// or later than to the others; so it bounds nothing, and only how much time other searches get
// depends on it (escalating.h).
//
// Plain data: part of a State that outlives the process (explorer.h).
//
// Tested by tests/unit/explore_proven_share_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::explore {

class ProvenShare {
 public:
  // A schedule drawn at random has this graph. After the first kMostDrawn it changes nothing.
  void AddDrawn(uint64_t graph);
  // The prover has run an execution with it.
  void AddProven(uint64_t graph);
  // From 0 to 1; 0 while too few were drawn to say.
  double Value() const;

  static constexpr uint32_t kLeastDrawn = 32;
  static constexpr uint32_t kMostDrawn = 128;

 private:
  struct Slot {
    uint64_t graph;
    uint32_t times;  // it was drawn; 0: an empty slot
    bool proven;
  };
  static constexpr size_t kSlots = 2 * size_t{kMostDrawn};
  // What the prover has run while not all were drawn: as much of it as is kept.
  static constexpr size_t kMostEarly = 4096;

  Slot& SlotOf(uint64_t graph);

  std::vector<Slot> slots_;
  std::vector<uint64_t> early_;
  uint32_t drawn_ = 0;
  uint32_t proven_ = 0;  // of those
};

}  // namespace heddle::explore
