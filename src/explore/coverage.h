// How much of the program's behaviour was seen: the number of distinct happens-before graphs of
// whole executions (MSR-TR-2007-12, section 3.3), and by how many preemptions
// and early timeouts each can be reached.
// Two executions with equal graphs differ only in the order of independent steps, so this is what a
// search with a perfect reduction would have to run.
//
// A table of 64-bit hashes, each with the least preemptions seen, nine bytes a slot; it doubles up
// to 64 MB, then counting stops and Overflowed() says so. Two graphs are confused with probability
// n^2 / 2^65: below one in a million for the three million graphs it can hold.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/observer.h"

namespace heddle::explore {

class Coverage final : public Observer {
 public:
  static constexpr uint32_t kMaxPreemptions = 255;  // more count as this many
  static constexpr uint64_t kMaxSlots = 4u << 20;   // the last power of two that fits in 64 MB

  // Outlives the process, like the explorer's (explorer.h).
  struct State {
    std::vector<uint64_t> keys;  // 0: empty
    std::vector<uint8_t> least;  // preemptions, beside keys
    uint64_t count = 0;
    std::vector<uint64_t> by_least;  // graphs by least preemptions
    bool overflowed = false;
  };

  explicit Coverage(State* state, uint64_t max_slots = kMaxSlots);

  Verdict OnExecution(const plan::Plan& plan, const trace::Execution& execution) override;

  uint64_t Count() const { return state_->count; }
  bool Overflowed() const { return state_->overflowed; }
  // Graphs reachable with at most i preemptions, for i = 0 .. the most that any graph needs.
  std::vector<uint64_t> ByPreemptions() const;

 private:
  void Add(uint64_t hash, uint8_t preemptions);
  uint64_t Find(uint64_t key) const;
  void Grow();

  State* const state_;
  const uint64_t max_slots_;
};

}  // namespace heddle::explore
