// The contents of chosen memory at one moment, and the way back to them, again and again.
//
// The cost of going back follows the pages that are written, not the size of what is kept. Take()
// write-protects every page. The first write to a page faults; the handler copies the page aside
// (it still holds the snapshot), makes it writable and *hot*. Hot pages stay hot, and Rewind()
// copies all of them back: no system call, no search. After a few executions nothing faults any
// more. What only the first of them wrote, as a page of the dynamic linker, would be copied for
// ever: at a few of the rewinds, ever more rarely, pages that hold the snapshot anyway *cool*.
//
//   cold page:  write-protected, holds the snapshot
//   hot page:   writable, its snapshot is in a copy
//   always hot: writable for ever
//
// Two things cannot be protected. The kernel does not fault on a protected page but fails the call
// with EFAULT, so hooks call MakeWritable() before a system call that writes; and memory that the
// kernel writes at any time (a TLS block with its rseq area) is added as always hot, to the byte,
// because its page may hold what must not be rewound.
//
// Invariants while taken: regions are sorted and disjoint; hot_count_ pages are hot; the private
// memory used here lies in no region. Runs on any stack and in a signal handler.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/prim/page.h"

namespace heddle::runtime {

class Snapshot {
 public:
  // Whole pages that touch [begin, end) belong to the snapshot; `protection` is theirs (PROT_WRITE
  // among it). REQUIRES: not taken.
  void AddPages(uintptr_t begin, uintptr_t end, int protection);
  // These bytes, and no others of their first and last page, belong to the snapshot and are never
  // protected. REQUIRES: not taken.
  void AddAlwaysHot(uintptr_t begin, uintptr_t end);

  void Take();
  bool IsTaken() const { return taken_; }
  // ENSURES: every byte added is as it was at Take().
  void Rewind();
  // Rewinds, lifts every protection and forgets all that was added.
  void Drop();

  // True when `address` is on a cold page, which is hot now: the access can be tried again.
  bool HandleWriteFault(uintptr_t address);
  // Before the kernel writes to [begin, begin + bytes).
  void MakeWritable(uintptr_t begin, size_t bytes);

  // Calls visit(char* begin, const char* kept, size_t bytes) for everything that may differ from
  // the snapshot, which is at `kept`: hot pages, and what is kept by the byte.
  template <typename Visit>
  void VisitHot(Visit visit) const {
    for (size_t i = 0; i < hot_count_; ++i)
      visit(static_cast<char*>(hot_[i].page), static_cast<const char*>(hot_[i].copy), kPageBytes);
    for (unsigned i = 0; i < byte_range_count_; ++i)
      visit(reinterpret_cast<char*>(bytes_[i].begin), static_cast<const char*>(bytes_[i].copy),
            bytes_[i].end - bytes_[i].begin);
  }

  // The contents of the hot pages, but for those that are always hot.
  uint64_t HashOfHot() const;
  // Is `address` on a page that is hot, or gets hot when it is written?
  bool MayBeHot(uintptr_t address);

  size_t HotPages() const { return hot_count_; }
  size_t Pages() const { return page_count_; }
  uint64_t Rewinds() const { return rewinds_; }

 private:
  enum class Heat : uint8_t { kCold, kHot, kAlwaysHot };
  struct Region {
    uintptr_t begin;
    uintptr_t end;
    int protection;
    Heat* heat;  // one per page
  };
  struct HotPage {
    void* page;
    void* copy;
    Region* region;
  };
  struct Range {
    uintptr_t begin;
    uintptr_t end;
    char* copy;
  };

  void ReserveLists();
  void SortAndMerge();
  void ReserveBookkeeping();
  void KeepAlwaysHot();
  void KeepBytes(uintptr_t begin, uintptr_t end);
  void ProtectCold();
  // The first region that ends above `address`, or regions_ + region_count_.
  Region* RegionAfter(uintptr_t address);
  void CopyAside(Region& region, size_t first, size_t last, Heat heat);
  void MakeHot(Region& region, size_t first, size_t last);
  void Cool();

  // Reserved at the first use: a process may have thousands of threads, each with a TLS block.
  Region* regions_ = nullptr;
  Range* always_hot_ = nullptr;
  Range* bytes_ = nullptr;
  unsigned region_count_ = 0;
  unsigned always_hot_count_ = 0;
  unsigned byte_range_count_ = 0;
  bool taken_ = false;

  HotPage* hot_ = nullptr;  // then, as far as copies_given_, what is left of pages that cooled
  size_t hot_count_ = 0;
  char* copies_ = nullptr;  // a page each
  size_t copies_given_ = 0;
  Heat* heats_ = nullptr;
  char* byte_copies_ = nullptr;
  size_t byte_copies_used_ = 0;
  size_t page_count_ = 0;
  uint64_t rewinds_ = 0;
  uint64_t next_cooling_ = 0;  // when rewinds_ is this
};

}  // namespace heddle::runtime
