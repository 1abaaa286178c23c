// An array that may grow larger than memory: pages, of which those not used lately live in a Spill.
//
// A page has a fixed place in the spill: its number, from an offset that the array is given. When
// more than the limit are in memory, the next one that was not used since the hand came by last is
// written out if it was changed (the clock algorithm: Corbato, "A paging experiment with the
// Multics system", 1968). If writing fails, the page stays in memory, and the limit does not hold.
// If reading back fails the contents are lost: they come out as zero, and Lost() tells, because a
// search that lost work must say so.
//
// Plain data: part of a State that outlives the process (explorer.h). The Spill is code, so it is
// given anew by every process. T: plain data, of which zero is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "explore/spill.h"

namespace heddle::explore {

template <typename T>
class PagedArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr uint32_t kPageItems = 4096;
  static constexpr uint64_t kMemoryLimit = 4u << 20;  // bytes

  explicit PagedArray(uint64_t spill_at, uint64_t memory_limit = kMemoryLimit)
      : spill_at_(spill_at),
        most_pages_(memory_limit / kPageBytes < 4 ? 4 : memory_limit / kPageBytes) {}

  // `spill` may be null: then everything stays in memory. It must outlive all use until the next
  // call.
  void SetSpill(Spill* spill) { spill_ = spill; }

  uint32_t Size() const { return size_; }
  bool Lost() const { return lost_; }
  // In memory, bytes.
  uint64_t MemoryBytes() const { return in_memory_ * kPageBytes; }

  // Appends one of zero.
  void Grow() {
    if (size_ % kPageItems == 0) AddPage();
    Edit(size_++) = T{};  // the rest of its page is not even touched yet
  }

  // Valid until the next call of any of these.
  const T& operator[](uint32_t i) const { return *Find(i); }
  T& Edit(uint32_t i) {
    T* item = Find(i);
    pages_[i / kPageItems].changed = true;
    return *item;
  }

 private:
  static constexpr uint64_t kPageBytes = kPageItems * sizeof(T);

  struct Page {
    // Null: spilled. Bytes, so that what is not grown yet is not even touched.
    std::unique_ptr<std::byte[]> memory;
    bool used = false;
    bool changed = false;
  };

  T* Find(uint32_t i) const {
    Page& page = pages_[i / kPageItems];
    if (page.memory == nullptr) Load(i / kPageItems);
    page.used = true;
    return reinterpret_cast<T*>(page.memory.get()) + i % kPageItems;
  }

  void AddPage() {
    MakeRoom();
    pages_.push_back({std::make_unique_for_overwrite<std::byte[]>(kPageBytes), true, true});
    ++in_memory_;
  }

  void Load(uint32_t number) const {
    MakeRoom();
    Page& page = pages_[number];
    page.memory = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
    page.changed = false;
    ++in_memory_;
    if (spill_ != nullptr && spill_->Read(PlaceOf(number), page.memory.get(), kPageBytes)) return;
    lost_ = true;
    std::memset(page.memory.get(), 0, kPageBytes);
  }

  // Puts one page out, if there are too many.
  void MakeRoom() const {
    if (spill_ == nullptr || in_memory_ < most_pages_) return;
    for (size_t looks = 0; looks < 2 * pages_.size(); ++looks) {
      hand_ = hand_ + 1 < pages_.size() ? hand_ + 1 : 0;
      Page& page = pages_[hand_];
      if (page.memory == nullptr) continue;
      if (page.used) {
        page.used = false;
        continue;
      }
      if (page.changed && !spill_->Write(PlaceOf(hand_), page.memory.get(), kPageBytes)) return;
      page.memory.reset();
      --in_memory_;
      return;
    }
  }

  uint64_t PlaceOf(uint64_t number) const { return spill_at_ + number * kPageBytes; }

  uint64_t spill_at_;
  uint64_t most_pages_;
  Spill* spill_ = nullptr;
  mutable std::vector<Page> pages_;
  mutable uint64_t in_memory_ = 0;
  mutable size_t hand_ = 0;
  mutable bool lost_ = false;
  uint32_t size_ = 0;
};

}  // namespace heddle::explore
