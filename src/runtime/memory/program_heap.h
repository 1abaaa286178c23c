// The program's heap: what malloc hands out in a controlled process.
//
// Addresses are names within a search (one address is one object in every execution), so the heap
// is deterministic per thread: thread t allocates from arena t and slice t, and from memory freed
// in this execution only once much was, or where a loop of its own goes round
// (loops/heap_rounds.h); with --reuse now from what it freed itself last. Fresh blocks are filled
// with 0xbe and freed ones with 0xdf, so that a read of uninitialised or freed memory gives the
// same wrong answer each time, and a telling one.
//
//   0x110000000000  arenas, 4 GiB each   blocks up to 1 MiB     arena.h
//   0x210000000000  slices, 8 GiB each   larger blocks          large_blocks.h
//   0x410000000000  what of the arenas was asked for            heap_bounds.h
//
// Both ranges lie below where Linux puts position-independent programs (0x55...) and libraries
// (0x7f...), with or without randomisation, and above AddressSanitizer's shadow. Threads beyond
// 4,096 share arenas with earlier ones: still deterministic for a schedule.
//
// Mark() says that what is allocated now belongs to the snapshot; Rewind() forgets everything
// allocated since. The contents of blocks below the mark are restored by the snapshot (snapshot.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saved_bytes.h"
#include "runtime/memory/arena.h"
#include "runtime/memory/large_blocks.h"

namespace heddle::runtime {

inline constexpr unsigned kArenas = 4096;
inline constexpr uintptr_t kSlicesBegin = 0x210000000000;

// A block as somebody asked for it.
struct LiveBlock {
  uintptr_t payload;  // 0: there is none
  size_t bytes;
};

// Where an access lies that is not within one block.
struct OutOfBounds {
  enum class Side : uint8_t {
    kNone,    // it is in the block, or there is none
    kBehind,  // it begins in the block, or behind its end
    kBefore,  // it begins before the block
  };
  Side side = Side::kNone;
  uintptr_t payload = 0;  // of the nearest block, or the one it is in
  size_t bytes = 0;       // of it; not known if it is freed
  bool freed = false;
  bool last = false;  // no block lies behind the access
  // From the end of the block to the begin of the access, if it begins behind; from the begin of
  // the access to that of the block, if it begins before. 0: it begins in the block.
  size_t distance = 0;
};

// An aggregate of zeros (it must work before any constructor ran).
class ProgramHeap {
 public:
  struct Range {
    uintptr_t begin;
    uintptr_t end;
  };

  // Null when the limits above are exceeded. `reused` is set when the memory belonged to a block
  // that was freed in this execution, and left alone otherwise. REQUIRES: alignment is a power of
  // two >= 16.
  void* Take(unsigned thread, size_t bytes, size_t alignment, bool zeroed, bool* reused);
  // --reuse now, or late. REQUIRES: nothing was allocated since the mark.
  void SetReusesNow(bool now) { reuses_now_ = now; }
  bool ReusesNow() const { return reuses_now_; }
  // What `thread` would be given next, of what was freed; 0: nothing.
  uint64_t ListsHashOf(unsigned thread) const { return arenas_[thread % kArenas].ListsHash(); }
  // `thread`: who does it; kArenas: none that has an arena.
  FreeResult GiveBack(void* payload, unsigned thread = kArenas);
  // The end of what `thread` allocated. Another one may share that beyond kArenas.
  uintptr_t EndOf(unsigned thread) const { return arenas_[thread % kArenas].End(); }
  // The arena that `thread` alone allocates from; null: it shares one.
  Arena* ArenaOfThread(unsigned thread) { return thread < kArenas ? &UseArena(thread) : nullptr; }
  // Bytes that the block at `payload` can hold; 0 when it is no live block.
  size_t BytesOf(const void* payload) const;
  // Those of a block of an arena that was freed and not used again since; else 0.
  size_t FreedBytesOf(const void* payload) const;
  LiveBlock FindLive(uintptr_t payload) const;
  // A block is of malloc's family until it is set. REQUIRES: it is live.
  void SetFamily(uintptr_t payload, HeapFamily family);
  HeapFamily FamilyOf(uintptr_t payload) const;

  // Were all these bytes asked for, by one block that is live? REQUIRES: IsOnHeap(address),
  // 0 < size <= 16.
  bool IsInBlock(uintptr_t address, size_t size) const {
    if (__builtin_expect(address - kArenasBegin < kArenas * kArenaBytes, 1))
      return AreAskedFor(address, address + size - 1);
    return slices_[(address - kSlicesBegin) / kSliceBytes].IsInBlock(address, address + size - 1);
  }
  // The same of any size but 0.
  bool IsAllInBlock(uintptr_t address, size_t size) const;
  // That bytes of an arena are poisoned (heap_bounds.h). REQUIRES: they lie in one block.
  void SetPoisoned(uintptr_t address, size_t size, bool poisoned);
  // Where it lies if they were not. Takes long.
  OutOfBounds FindOutOfBounds(uintptr_t address, size_t size) const;

  void Mark();
  void Rewind();
  // Blocks above 1 MiB that were allocated since the mark, or whose memory was given back, are not
  // saved: their pages may be inaccessible.
  bool CanBeSaved() const { return slice_count_ == 0; }
  // What was allocated since the mark, with all bookkeeping. REQUIRES: CanBeSaved().
  void Save(base::SavedBytes& to) const;
  // REQUIRES: rewound.
  void Restore(base::SavedBytesReader& from);
  // Calls visit(Range) for every range of addresses below a mark.
  template <typename Visit>
  void VisitMarked(Visit visit) const {
    for (unsigned i = 0; i < open_end_; ++i) {
      if (arenas_[i].IsOpen()) visit(Range{arenas_[i].Begin(), arenas_[i].MarkedEnd()});
      if (slices_[i].IsOpen()) visit(Range{slices_[i].Begin(), slices_[i].MarkedEnd()});
    }
  }
  // What was allocated since the mark: visit(Range) for each arena that is in use, and
  // visit_large(LargeBlocks::Block, mark) for each large block of those slices that are.
  template <typename Visit, typename VisitLarge>
  void VisitFresh(Visit visit, VisitLarge visit_large) const {
    for (unsigned i = 0; i < arena_count_; ++i) {
      const Arena& arena = arenas_[arenas_in_use_[i]];
      visit(Range{arena.MarkedEnd(), arena.End()});
    }
    for (unsigned i = 0; i < slice_count_; ++i) slices_[slices_in_use_[i]].VisitBlocks(visit_large);
  }
  // What is to be used again first (--reuse now): visit(arena, size class, block).
  template <typename Visit>
  void VisitLists(Visit visit) const {
    for (unsigned i = 0; i < arena_count_; ++i)
      arenas_[arenas_in_use_[i]].VisitLists([&](unsigned size_class, const BlockHeader* first) {
        visit(arenas_in_use_[i], size_class, first);
      });
  }
  // Calls visit(payload, bytes) for each live block that was allocated since the mark.
  template <typename Visit>
  void VisitFreshLive(Visit visit) const {
    for (unsigned i = 0; i < arena_count_; ++i) arenas_[arenas_in_use_[i]].VisitFreshLive(visit);
    for (unsigned i = 0; i < slice_count_; ++i) {
      slices_[slices_in_use_[i]].VisitBlocks([&](const LargeBlocks::Block& block, uintptr_t mark) {
        if (block.begin >= mark && block.state == LargeBlocks::State::kLive)
          visit(block.begin, block.asked_for);
      });
    }
  }

 private:
  void MapBounds();
  Arena& UseArena(unsigned index);
  LargeBlocks& UseSlice(unsigned index);

  Arena arenas_[kArenas];
  LargeBlocks slices_[kArenas];
  // Those used since the last rewind, so that a rewind costs what was used.
  uint16_t arenas_in_use_[kArenas] = {};
  uint16_t slices_in_use_[kArenas] = {};
  unsigned arena_count_ = 0;
  unsigned slice_count_ = 0;
  bool bounds_are_mapped_ = false;
  bool reuses_now_ = false;
  unsigned open_end_ = 0;  // no arena or slice at or above it was ever opened
};

extern constinit ProgramHeap g_program_heap;

// In the range of all blocks.
inline bool IsOnHeap(uintptr_t address) {
  static_assert(kSlicesBegin - kArenasBegin == kArenas * kArenaBytes);
  return address - kArenasBegin < kArenas * (kArenaBytes + kSliceBytes);
}

// In the range of the blocks that are filled with a pattern.
inline bool IsInProgramHeap(uintptr_t address) {
  return address - kArenasBegin < kArenas * kArenaBytes;
}

}  // namespace heddle::runtime
