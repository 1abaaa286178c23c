#include "explore/proven_share.h"

#include <utility>

#include "base/hash.h"

namespace heddle::explore {

// The slot that holds the graph, or the empty one where it belongs. REQUIRES: there is an empty
// one.
uint64_t ProvenShare::SlotOf(uint64_t graph) const {
  const uint64_t slots = slots_.size();
  uint64_t slot = base::Mix(graph) & (slots - 1);
  while (slots_[slot] != 0 && slots_[slot] != graph) slot = (slot + 1) & (slots - 1);
  return slot;
}

// Puts what is in the sample into so many slots, a power of two.
void ProvenShare::Refill(uint64_t slots) {
  const std::vector<uint64_t> old = std::exchange(slots_, std::vector<uint64_t>(slots));
  kept_ = 0;
  for (const uint64_t graph : old) {
    if (graph == 0 || !IsInSample(graph)) continue;
    slots_[SlotOf(graph)] = graph;
    ++kept_;
  }
}

void ProvenShare::AddProven(uint64_t graph) {
  if (graph == 0 || !IsInSample(graph)) return;
  constexpr uint64_t kLeastSlots = 256;
  if (2 * (kept_ + 1) > slots_.size()) {
    if (kept_ == kMostKept) mask_ = 2 * mask_ + 1;
    const bool grows = kept_ != kMostKept;
    Refill(slots_.empty() ? kLeastSlots : slots_.size() * (grows ? 2 : 1));
    if (!IsInSample(graph)) return;
  }
  uint64_t& slot = slots_[SlotOf(graph)];
  kept_ += slot == 0;
  slot = graph;
}

void ProvenShare::AddDrawn(uint64_t graph) {
  if (slots_.empty() || graph == 0 || !IsInSample(graph)) return;
  ++drawn_;
  proven_ += slots_[SlotOf(graph)] != 0;
  if (drawn_ != kMostDrawn) return;
  drawn_ /= 2;
  proven_ /= 2;
}

double ProvenShare::Share() const {
  return drawn_ < kLeastDrawn ? 0 : static_cast<double>(proven_) / drawn_;
}

}  // namespace heddle::explore
