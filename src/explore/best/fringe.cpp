#include "explore/best/fringe.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace heddle::explore {

void Fringe::Push(uint64_t priority, const Entry& entry, uint64_t memory_limit, Spill* spill) {
  bins_[priority].push_back(entry);
  ++in_memory_;
  if (spill != nullptr && !disk_is_full_ && MemoryBytes() > memory_limit) SpillWorst(spill);
}

std::optional<Fringe::Entry> Fringe::Pop(Spill* spill) {
  while (!segments_.empty() && (bins_.empty() || segments_.begin()->first < bins_.begin()->first)) {
    LoadBest(spill);
  }
  if (bins_.empty()) return std::nullopt;
  const auto best = bins_.begin();
  const Entry entry = best->second.back();
  best->second.pop_back();
  if (best->second.empty()) bins_.erase(best);
  --in_memory_;
  return entry;
}

std::optional<Fringe::Entry> Fringe::PopWorst(Spill* spill) {
  if (bins_.empty() && !segments_.empty()) LoadBest(spill);
  if (bins_.empty()) return std::nullopt;
  const auto worst = std::prev(bins_.end());
  const Entry entry = worst->second.front();
  worst->second.erase(worst->second.begin());
  if (worst->second.empty()) bins_.erase(worst);
  --in_memory_;
  return entry;
}

// Writes entries to disk, those of the worst bins, and of one bin the oldest first, until half of
// them are left. What cannot be written stays.
void Fringe::SpillWorst(Spill* spill) {
  const uint64_t keep = in_memory_ / 2;
  std::vector<Spilled> segment;
  segment.reserve(kSegmentEntries);
  while (in_memory_ > keep && !disk_is_full_) {
    const auto worst = std::prev(bins_.end());
    std::vector<Entry>& bin = worst->second;
    const uint64_t room = std::min<uint64_t>(kSegmentEntries - segment.size(), in_memory_ - keep);
    const auto count = static_cast<std::ptrdiff_t>(std::min<uint64_t>(bin.size(), room));
    for (const Entry& entry : std::span(bin).first(static_cast<size_t>(count))) {
      segment.push_back({worst->first, entry});
    }
    bin.erase(bin.begin(), bin.begin() + count);
    if (bin.empty()) bins_.erase(worst);
    in_memory_ -= static_cast<uint64_t>(count);
    if (segment.size() < kSegmentEntries && in_memory_ > keep) continue;
    if (!WriteSegment(segment, spill)) {
      // Newest last, so backwards to the front; no bin has changed since but by what was taken.
      disk_is_full_ = true;
      for (auto it = segment.rbegin(); it != segment.rend(); ++it) {
        std::vector<Entry>& back = bins_[it->priority];
        back.insert(back.begin(), it->entry);
      }
      in_memory_ += segment.size();
    }
    segment.clear();
  }
  for (auto& [priority, bin] : bins_) {
    if (bin.capacity() > 2 * bin.size()) bin.shrink_to_fit();
  }
}

bool Fringe::WriteSegment(std::vector<Spilled>& entries, Spill* spill) {
  const bool reuses = !free_slots_.empty();
  const uint64_t slot = reuses ? free_slots_.back() : slots_;
  if (!spill->Write(PlaceOf(slot), entries.data(), entries.size() * sizeof(Spilled))) return false;
  if (reuses) {
    free_slots_.pop_back();
  } else {
    ++slots_;
  }
  const uint64_t best = std::ranges::min_element(entries, {}, &Spilled::priority)->priority;
  segments_.emplace(best, Segment{best, static_cast<uint32_t>(entries.size()), slot});
  on_disk_ += entries.size();
  return true;
}

// Reads the segment with the best priority back, below what its bins hold.
void Fringe::LoadBest(Spill* spill) {
  const Segment segment = segments_.begin()->second;
  segments_.erase(segments_.begin());
  on_disk_ -= segment.entries;
  free_slots_.push_back(segment.slot);
  disk_is_full_ = false;  // there is room for one segment again
  std::vector<Spilled> entries(segment.entries);
  const bool read = spill != nullptr && spill->Read(PlaceOf(segment.slot), entries.data(),
                                                    entries.size() * sizeof(Spilled));
  if (!read) {
    lost_ = true;
    return;
  }
  std::map<uint64_t, std::vector<Entry>> loaded;
  for (const Spilled& spilled : entries) loaded[spilled.priority].push_back(spilled.entry);
  for (auto& [priority, below] : loaded) {
    std::vector<Entry>& bin = bins_[priority];
    bin.insert(bin.begin(), below.begin(), below.end());
  }
  in_memory_ += entries.size();
}

}  // namespace heddle::explore
