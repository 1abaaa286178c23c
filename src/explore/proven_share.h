// How much of a search the prover has behind it, by what schedules drawn at random come to: of
// those whose happens-before graph is looked up, the share whose graph the prover has run. So no
// walk is made for it, and no graph is counted.
//
// Graphs are not equally likely to be drawn, so this is no bound of anything: only how much time
// the other searches get depends on it (escalating.h).
//
// Only a sample of the graphs is kept, those whose hash has so many low bits of 0: as many as fit,
// whatever the prover has run. Draws outside of the sample say nothing. Of the others, late ones
// count more than early ones, as the share grows.
//
// Plain data: part of a State that outlives the process (explorer.h).
//
// Tested by tests/unit/explore_proven_share_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::explore {

class ProvenShare {
 public:
  // The prover has run an execution with this graph.
  void AddProven(uint64_t graph);
  // A schedule drawn at random has it.
  void AddDrawn(uint64_t graph);
  // From 0 to 1; 0 while too few were drawn to say.
  double Share() const;

 private:
  static constexpr uint64_t kMostKept = 16384;  // 256 KB of slots
  static constexpr uint32_t kLeastDrawn = 16;
  static constexpr uint32_t kMostDrawn = 128;  // then all that were drawn count half

  bool IsInSample(uint64_t graph) const { return (graph & mask_) == 0; }
  uint64_t SlotOf(uint64_t graph) const;
  void Refill(uint64_t slots);

  std::vector<uint64_t> slots_;  // 0: empty
  uint64_t kept_ = 0;
  uint64_t mask_ = 0;
  uint32_t drawn_ = 0;
  uint32_t proven_ = 0;  // of those
};

}  // namespace heddle::explore
