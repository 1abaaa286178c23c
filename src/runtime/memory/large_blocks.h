// Blocks above 1 MiB. They get whole pages in a slice of address space of their own (8 GiB per
// thread, again so that addresses depend on the thread alone) and their bookkeeping is heddle's,
// outside the program's reach.
//
// Fresh pages are zero rather than poisoned: filling would cost more than the page faults of those
// that are really used, and zero is what the kernel gives, so it is the same in every execution. A
// freed block becomes inaccessible, so a use after free is a crash at that instruction. The rewind
// gives the pages back to the kernel.
//
// A page that belongs to none lies before each block, so that an access beyond a block is in no
// other.
//
// Blocks below the mark belong to the snapshot, so their pages must stay: freeing one only marks
// it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/block.h"

namespace heddle::runtime {

inline constexpr size_t kSliceBytes = size_t{8} << 30;

// Aggregate of zeros before Open.
class LargeBlocks {
 public:
  void Open(uintptr_t begin);
  bool IsOpen() const { return begin_ != 0; }

  // Null when the slice is full. REQUIRES: alignment is a power of two.
  void* Take(size_t bytes, size_t alignment, bool* reused);
  FreeResult GiveBack(uintptr_t payload);
  struct Block;
  // Bytes of the live block at `payload`, or 0.
  size_t BytesOf(uintptr_t payload) const;
  // The live block at `payload`, or null.
  const Block* FindLive(uintptr_t payload) const;
  // REQUIRES: a live block.
  void SetFamily(uintptr_t payload, HeapFamily family) { Find(payload)->family = family; }
  // The last block that begins at or before `address`, or null, and the first one behind it.
  void FindAround(uintptr_t address, const Block** before, const Block** behind) const;
  // Were all bytes of [first, last] asked for, by one block that is live?
  bool IsInBlock(uintptr_t first, uintptr_t last) const;

  void Mark();
  void Rewind();
  bool InUse() const { return in_use_; }
  void Use() { in_use_ = true; }
  uintptr_t Begin() const { return begin_; }
  uintptr_t MarkedEnd() const { return mark_; }
  // Calls visit(block, mark) for each block, those below the mark among them.
  template <typename Visit>
  void VisitBlocks(Visit visit) const {
    for (size_t i = 0; i < count_; ++i) visit(blocks_[i], mark_);
  }

  enum class State : uint8_t { kLive, kFreed, kFreedBeforeMark };
  struct Block {
    uintptr_t begin;
    size_t bytes;
    State state;
    size_t asked_for;  // bytes
    HeapFamily family;
  };

 private:
  static constexpr size_t kMaxBlocks = kSliceBytes / kSmallBytes;

  // How many begin before `address`.
  size_t CountBefore(uintptr_t address) const;
  Block* Find(uintptr_t payload) const;
  Block* Append(uintptr_t begin, size_t bytes);
  Block* Reuse(size_t bytes, size_t alignment);

  uintptr_t begin_ = 0;
  uintptr_t top_ = 0;
  uintptr_t mapped_end_ = 0;
  uintptr_t mark_ = 0;
  Block* blocks_ = nullptr;  // by address
  size_t count_ = 0;
  size_t marked_count_ = 0;
  size_t marked_freed_ = 0;       // blocks below the mark that were freed since
  mutable size_t looked_at_ = 0;  // IsInBlock's last one: most accesses are to the same
  bool any_protected_ = false;
  bool in_use_ = false;
};

}  // namespace heddle::runtime
