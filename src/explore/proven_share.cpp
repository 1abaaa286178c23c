#include "explore/proven_share.h"

#include <algorithm>

#include "base/hash.h"

namespace heddle::explore {

// The slot of the graph, or the empty one where it belongs.
ProvenShare::Slot& ProvenShare::SlotOf(uint64_t graph) {
  size_t slot = base::Mix(graph) % kSlots;
  while (slots_[slot].times != 0 && slots_[slot].graph != graph) slot = (slot + 1) % kSlots;
  return slots_[slot];
}

void ProvenShare::AddDrawn(uint64_t graph) {
  if (drawn_ == kMostDrawn) return;
  if (slots_.empty()) slots_.resize(kSlots);
  Slot& slot = SlotOf(graph);
  if (slot.times == 0) slot = {graph, 0, std::ranges::count(early_, graph) != 0};
  ++slot.times;
  ++drawn_;
  if (slot.proven) ++proven_;
  if (drawn_ == kMostDrawn) early_ = {};
}

void ProvenShare::AddProven(uint64_t graph) {
  if (drawn_ != kMostDrawn && early_.size() != kMostEarly) early_.push_back(graph);
  if (slots_.empty()) return;
  Slot& slot = SlotOf(graph);
  if (slot.times == 0 || slot.proven) return;
  slot.proven = true;
  proven_ += slot.times;
}

double ProvenShare::Value() const {
  return drawn_ < kLeastDrawn ? 0 : static_cast<double>(proven_) / drawn_;
}

}  // namespace heddle::explore
