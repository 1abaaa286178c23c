#include "runtime/memory/snapshot.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "runtime/memory/pages.h"

namespace heddle::runtime {
namespace {

// Address space only, until it is used.
constexpr unsigned kMaxRegions = 1u << 20;
constexpr unsigned kMaxRanges = 1u << 20;
constexpr size_t kByteCopies = size_t{4} << 30;

// A page that cools wrongly costs a fault, as much as some thirty copies.
constexpr uint64_t kFirstCooling = 32;
constexpr uint64_t kCoolingFactor = 8;

bool Protect(uintptr_t begin, uintptr_t end, int protection) {
  return begin == end || !Failed(RawSyscall(SYS_mprotect, static_cast<long>(begin),
                                            static_cast<long>(end - begin), protection));
}

}  // namespace

void Snapshot::AddPages(uintptr_t begin, uintptr_t end, int protection) {
  HEDDLE_CHECK(!taken_);
  if (begin >= end) return;
  ReserveLists();
  HEDDLE_CHECK(region_count_ < kMaxRegions);
  regions_[region_count_++] = {RoundDown(begin, kPageBytes), RoundUp(end, kPageBytes), protection,
                               nullptr};
}

void Snapshot::AddAlwaysHot(uintptr_t begin, uintptr_t end) {
  HEDDLE_CHECK(!taken_);
  if (begin >= end) return;
  ReserveLists();
  HEDDLE_CHECK(always_hot_count_ < kMaxRanges);
  always_hot_[always_hot_count_++] = {begin, end, nullptr};
}

void Snapshot::ReserveLists() {
  if (regions_ != nullptr) return;
  regions_ = static_cast<Region*>(ReserveMemory(kMaxRegions * sizeof(Region)));
  always_hot_ = static_cast<Range*>(ReserveMemory(kMaxRanges * sizeof(Range)));
  bytes_ = static_cast<Range*>(ReserveMemory(kMaxRanges * sizeof(Range)));
}

void Snapshot::Take() {
  HEDDLE_CHECK(!taken_);
  SortAndMerge();
  ReserveBookkeeping();
  KeepAlwaysHot();
  ProtectCold();
  taken_ = true;
}

void Snapshot::SortAndMerge() {
  std::sort(regions_, regions_ + region_count_,
            [](const Region& a, const Region& b) { return a.begin < b.begin; });
  unsigned kept = 0;
  for (unsigned i = 0; i < region_count_; ++i) {
    Region* last = kept == 0 ? nullptr : &regions_[kept - 1];
    if (last != nullptr && regions_[i].begin < last->end) {
      last->protection |= regions_[i].protection;
      if (regions_[i].end > last->end) last->end = regions_[i].end;
    } else {
      regions_[kept++] = regions_[i];
    }
  }
  region_count_ = kept;
}

void Snapshot::ReserveBookkeeping() {
  page_count_ = 0;
  for (unsigned i = 0; i < region_count_; ++i) {
    page_count_ += (regions_[i].end - regions_[i].begin) / kPageBytes;
  }
  heats_ = static_cast<Heat*>(ReserveMemory(page_count_ + 1));
  hot_ = static_cast<HotPage*>(ReserveMemory((page_count_ + 1) * sizeof(HotPage)));
  copies_ = static_cast<char*>(ReserveMemory((page_count_ + 1) * kPageBytes));
  byte_copies_ = static_cast<char*>(ReserveMemory(kByteCopies));
  byte_copies_used_ = 0;
  hot_count_ = 0;
  copies_given_ = 0;
  byte_range_count_ = 0;
  next_cooling_ = rewinds_ + kFirstCooling;
  Heat* heats = heats_;
  for (unsigned i = 0; i < region_count_; ++i) {
    regions_[i].heat = heats;
    heats += (regions_[i].end - regions_[i].begin) / kPageBytes;
  }
}

// Always-hot bytes on pages of a region make the whole page hot; the others are kept by the byte.
void Snapshot::KeepAlwaysHot() {
  for (unsigned i = 0; i < always_hot_count_; ++i) {
    uintptr_t at = always_hot_[i].begin;
    const uintptr_t end = always_hot_[i].end;
    for (Region* region = RegionAfter(at); at < end; ++region) {
      const bool is_last = region == regions_ + region_count_ || region->begin >= end;
      if (is_last || at < region->begin) {
        const uintptr_t stop = is_last ? end : region->begin;
        KeepBytes(at, stop);
        at = stop;
      }
      if (is_last) break;
      const uintptr_t stop = end < region->end ? end : region->end;
      CopyAside(*region, (at - region->begin) / kPageBytes,
                (stop - region->begin + kPageBytes - 1) / kPageBytes, Heat::kAlwaysHot);
      at = stop;
    }
  }
}

void Snapshot::KeepBytes(uintptr_t begin, uintptr_t end) {
  HEDDLE_CHECK(byte_range_count_ < kMaxRanges && end - begin <= kByteCopies - byte_copies_used_);
  char* copy = byte_copies_ + byte_copies_used_;
  byte_copies_used_ += RoundUp(end - begin, 64);
  CopyBytes(copy, reinterpret_cast<const void*>(begin), end - begin);
  bytes_[byte_range_count_++] = {begin, end, copy};
}

void Snapshot::ProtectCold() {
  for (unsigned i = 0; i < region_count_; ++i) {
    Region& region = regions_[i];
    const size_t pages = (region.end - region.begin) / kPageBytes;
    size_t first = 0;
    while (first < pages) {
      size_t last = first;
      while (last < pages && region.heat[last] == Heat::kCold) ++last;
      const bool done = Protect(region.begin + first * kPageBytes, region.begin + last * kPageBytes,
                                region.protection & ~PROT_WRITE);
      if (!done) MakeHot(region, 0, pages);  // no mappings left: then the region is hot as a whole
      while (last < pages && region.heat[last] != Heat::kCold) ++last;
      first = last;
    }
  }
}

void Snapshot::Rewind() {
  HEDDLE_CHECK(taken_);
  if (__builtin_expect(rewinds_ == next_cooling_, 0)) Cool();
  for (size_t i = 0; i < hot_count_; ++i) CopyPage(hot_[i].page, hot_[i].copy);
  for (unsigned i = 0; i < byte_range_count_; ++i) {
    CopyBytes(reinterpret_cast<void*>(bytes_[i].begin), bytes_[i].copy,
              bytes_[i].end - bytes_[i].begin);
  }
  ++rewinds_;
}

void Snapshot::Drop() {
  HEDDLE_CHECK(taken_);
  Rewind();
  for (unsigned i = 0; i < region_count_; ++i) {
    HEDDLE_CHECK(Protect(regions_[i].begin, regions_[i].end, regions_[i].protection));
  }
  UnmapMemory(heats_, page_count_ + 1);
  UnmapMemory(hot_, (page_count_ + 1) * sizeof(HotPage));
  UnmapMemory(copies_, (page_count_ + 1) * kPageBytes);
  UnmapMemory(byte_copies_, kByteCopies);
  region_count_ = 0;
  always_hot_count_ = 0;
  hot_count_ = 0;
  taken_ = false;
}

Snapshot::Region* Snapshot::RegionAfter(uintptr_t address) {
  unsigned low = 0;
  unsigned high = region_count_;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (regions_[middle].end <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return &regions_[low];
}

bool Snapshot::HandleWriteFault(uintptr_t address) {
  if (!taken_) return false;
  Region* region = RegionAfter(address);
  if (region == regions_ + region_count_ || address < region->begin) return false;
  const size_t page = (address - region->begin) / kPageBytes;
  if (region->heat[page] != Heat::kCold) return false;
  MakeHot(*region, page, page + 1);
  return true;
}

uint64_t Snapshot::HashOfHot() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < hot_count_; ++i) {
    const auto begin = reinterpret_cast<uintptr_t>(hot_[i].page);
    const Region& region = *hot_[i].region;
    if (region.heat[(begin - region.begin) / kPageBytes] != Heat::kHot) continue;
    // Four chains, which the processor computes side by side.
    const auto* words = static_cast<const uint64_t*>(hot_[i].page);
    uint64_t hashes[4] = {begin, 1, 2, 3};
    for (size_t at = 0; at < kPageBytes / sizeof *words; at += 4)
      for (size_t n = 0; n < 4; ++n) hashes[n] = base::Fold(hashes[n], words[at + n]);
    sum += base::MixTwo(base::MixTwo(hashes[0], hashes[1]), base::MixTwo(hashes[2], hashes[3]));
  }
  return sum;
}

bool Snapshot::MayBeHot(uintptr_t address) {
  if (!taken_) return false;
  const Region* region = RegionAfter(address);
  if (region == regions_ + region_count_ || address < region->begin) return false;
  return region->heat[(address - region->begin) / kPageBytes] != Heat::kAlwaysHot;
}

void Snapshot::MakeWritable(uintptr_t begin, size_t bytes) {
  if (!taken_ || bytes == 0) return;
  const uintptr_t end = begin + bytes;
  for (Region* region = RegionAfter(begin); region != regions_ + region_count_; ++region) {
    if (region->begin >= end) return;
    const uintptr_t from = begin > region->begin ? begin : region->begin;
    const uintptr_t to = end < region->end ? end : region->end;
    const size_t last = (to - region->begin + kPageBytes - 1) / kPageBytes;
    for (size_t page = (from - region->begin) / kPageBytes; page < last; ++page) {
      if (region->heat[page] != Heat::kCold) continue;
      size_t stop = page + 1;
      while (stop < last && region->heat[stop] == Heat::kCold) ++stop;
      MakeHot(*region, page, stop);
    }
  }
}

void Snapshot::CopyAside(Region& region, size_t first, size_t last, Heat heat) {
  for (size_t page = first; page < last; ++page) {
    if (region.heat[page] != Heat::kCold) continue;
    region.heat[page] = heat;
    HotPage& hot = hot_[hot_count_];
    if (hot_count_++ == copies_given_) hot.copy = copies_ + copies_given_++ * kPageBytes;
    hot.page = reinterpret_cast<void*>(region.begin + page * kPageBytes);
    hot.region = &region;
    CopyPage(hot.copy, hot.page);
  }
}

// Before the pages are copied back: one that differs from its copy was written since the last time.
void Snapshot::Cool() {
  next_cooling_ = rewinds_ * kCoolingFactor;
  for (size_t i = hot_count_; i-- != 0;) {
    const HotPage hot = hot_[i];
    const auto begin = reinterpret_cast<uintptr_t>(hot.page);
    Heat& heat = hot.region->heat[(begin - hot.region->begin) / kPageBytes];
    if (heat == Heat::kAlwaysHot || !SamePage(hot.page, hot.copy)) continue;
    if (!Protect(begin, begin + kPageBytes, hot.region->protection & ~PROT_WRITE)) return;
    heat = Heat::kCold;
    hot_[i] = hot_[--hot_count_];
    hot_[hot_count_] = hot;  // its copy is for the next
  }
}

// Each change of protection may cut a mapping in two, and a process may have 65,530. When they run
// out, the region becomes one mapping again, all of it hot.
void Snapshot::MakeHot(Region& region, size_t first, size_t last) {
  CopyAside(region, first, last, Heat::kHot);
  const uintptr_t begin = region.begin + first * kPageBytes;
  const uintptr_t end = region.begin + last * kPageBytes;
  if (Protect(begin, end, region.protection)) return;
  CopyAside(region, 0, (region.end - region.begin) / kPageBytes, Heat::kHot);
  HEDDLE_CHECK(Protect(region.begin, region.end, region.protection));
}

}  // namespace heddle::runtime
