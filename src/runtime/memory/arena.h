// One thread's share of the program's heap: 4 GiB of addresses that no other thread allocates from,
// so the address of a thread's n-th block depends on that thread alone, whatever the interleaving.
//
//   begin ........ mark ............ top ........ mapped_end ........ end
//   snapshot's blocks   this execution's blocks   untouched, mapped   address space only
//
// Blocks are laid one after the other and fill [begin, top) without a hole (alignment gaps are
// blocks of their own), so the arena can be walked. A freed block waits in quarantine: its memory
// is used again only after 64 MB were freed here, oldest of its size first, so a stale pointer goes
// on naming the freed block for a long time.
//
//   mark ............ parked_from ............ top ......... high
//     quarantine          parked or live           was given back
//
// With --reuse now a block that is freed in an execution goes to a list of the thread that freed
// it, whichever arena it is of, and what that thread allocates next of its size is this block. So
// addresses still depend on what a thread does alone. Nothing is parked then, and what lies below
// the mark is not used again in the execution: who looks for blocks of an execution looks above it.
//
// A loop that allocates in each round would never be twice in the same state. So the owner of the
// arena may give back all that it took since it was somewhere (TakeBack), and gets the same
// addresses once more (loops/heap_rounds.h says when). For that, blocks that the owner frees are
// *parked* at first: freed, but in no queue, until there are many. Until it is used again, memory
// that was given back counts as freed.
//
// Invariants: mark is page-aligned (no page holds both snapshot data and fresh data); limit is 0
// until the execution first uses the arena, which sends that first use down the slow path.
#pragma once

#include "base/saved_bytes.h"
#include "runtime/memory/block.h"
#include "runtime/memory/heap_bounds.h"

namespace heddle::runtime {

inline constexpr size_t kArenaBytes = size_t{4} << 30;
inline constexpr size_t kQuarantineBytes = size_t{64} << 20;
inline constexpr size_t kParkedBytes = size_t{64} << 10;  // beyond that they are quarantined
inline constexpr uint8_t kFreshPattern = 0xbe;
inline constexpr uint8_t kFreedPattern = 0xdf;
inline constexpr size_t kFreedFillBytes = 256;  // bounds the cost of a free

// Aggregate of zeros before Open: it must work before any constructor ran.
class Arena {
 public:
  void Open(uintptr_t begin, uint16_t index);
  bool IsOpen() const { return begin_ != 0; }
  bool InUse() const { return limit_ != 0; }
  void Use() { limit_ = mapped_end_; }

  // Null when the arena is full. `reused` is set when the memory belonged to a block that was freed
  // in this execution. REQUIRES: InUse(); bytes <= kSmallBytes; alignment is a power of two >= 16.
  void* Take(size_t bytes, size_t alignment, uint8_t fill, bool* reused);
  // `own`: the arena's thread does it. REQUIRES: InUse().
  FreeResult GiveBack(uintptr_t payload, bool own);
  // --reuse now. The block goes to the lists of `freer`, the arena of who frees it; null: to none.
  FreeResult GiveBackTo(uintptr_t payload, Arena* freer);
  // What is in the lists of --reuse now, and in which order.
  uint64_t ListsHash() const { return lists_hash_; }
  // Calls visit(size class, first block) for each of them that is not empty.
  template <typename Visit>
  void VisitLists(Visit visit) const {
    if (lists_hash_ == 0) return;
    ForQueues(*this, [&](const Queue& queue) {
      if (queue.depth != 0) visit(static_cast<unsigned>(&queue - queues_), queue.first);
    });
  }
  // From now on, blocks that are allocated and freed by the owner are parked. REQUIRES: InUse().
  void BeginParking() { parked_from_ = top_; }
  // Is all that was allocated since End() was `end` parked? Then TakeBack(end) gives it back.
  bool IsParkedSince(uintptr_t end) const;
  void TakeBack(uintptr_t end);
  // The block at `payload` that is live, or was freed and not used again since; or null.
  const BlockHeader* FindLive(uintptr_t payload) const;
  const BlockHeader* FindFreed(uintptr_t payload) const;
  // REQUIRES: a live block.
  void SetFamily(uintptr_t payload, HeapFamily family);
  // The whole of [begin, end) is poisoned, or not any more (heap_bounds.h).
  void SetPoisoned(uintptr_t begin, uintptr_t end, bool poisoned);
  // The last block that begins at or before `address`, or null, and the first one behind it; gaps
  // are none. Walks through the arena, up to a header that was overwritten.
  void FindAround(uintptr_t address, const BlockHeader** before, const BlockHeader** behind) const;

  // Calls visit(payload, bytes) for each live block that was allocated since the mark, up to a
  // header that was overwritten.
  template <typename Visit>
  void VisitFreshLive(Visit visit) const {
    for (uintptr_t at = mark_; at < top_;) {
      const auto* block = reinterpret_cast<const BlockHeader*>(at);
      if (!block->IsSealed()) return;
      if (block->state == BlockState::kLive) visit(block->Payload(), size_t{block->Bytes()});
      at = block->End();
    }
  }

  // What is allocated now belongs to the snapshot.
  void Mark();
  // Forgets everything since the mark. Blocks below it are restored by the snapshot.
  void Rewind();
  // What was allocated since the mark, with the bookkeeping. REQUIRES: InUse().
  void Save(base::SavedBytes& to) const;
  // REQUIRES: InUse(), and nothing allocated since the mark.
  void Restore(base::SavedBytesReader& from);
  uintptr_t Begin() const { return begin_; }
  uintptr_t MarkedEnd() const { return mark_; }
  uintptr_t End() const { return top_; }

 private:
  struct Queue {
    BlockHeader* first;
    BlockHeader* last;
    uint32_t depth;  // of a list of --reuse now: blocks in it
  };

  bool Holds(uintptr_t payload) const;
  bool Extend(uintptr_t end);
  void SetGap(uintptr_t begin, uintptr_t end);
  // The bounds in [begin, end) have changed: those of the snapshot's blocks must come back.
  void NoteBounds(uintptr_t begin, uintptr_t end);
  void KeepBounds();
  FreeResult WhyNotLive(uintptr_t payload) const;
  void MarkFreed(BlockHeader* block);
  BlockHeader* Reuse(unsigned size_class, size_t alignment);
  bool Push(BlockHeader* block);
  void NoteReusable();
  bool Park(BlockHeader* block);
  bool QuarantineParked();
  bool Quarantine(BlockHeader* block);
  void ForgetQuarantine();
  // The end of what was allocated in this execution.
  uintptr_t UsedEnd() const { return high_ > top_ ? high_ : top_; }
  // Calls visit(Queue&) for those in use.
  template <typename Self, typename Visit>
  static void ForQueues(Self& self, Visit visit) {
    for (unsigned word = 0; word < 2; ++word)
      for (uint64_t left = self.queues_in_use_[word]; left != 0; left &= left - 1)
        visit(self.queues_[word * 64 + static_cast<unsigned>(__builtin_ctzll(left))]);
  }
  FreeResult Diagnose(uintptr_t payload) const;

  uintptr_t top_ = 0;
  uintptr_t limit_ = 0;
  uintptr_t begin_ = 0;
  uintptr_t mark_ = 0;
  uintptr_t mapped_end_ = 0;
  uintptr_t parked_from_ = 0;  // 0: nothing is parked
  uintptr_t high_ = 0;         // what was given back lies between top_ and this
  BlockHeader* last_parked_ = nullptr;
  size_t parked_ = 0;  // bytes
  size_t quarantined_ = 0;
  uint64_t lists_hash_ = 0;  // a sum over the lists' blocks, each with its place; 0: all are empty
  bool may_reuse_ = false;   // enough is quarantined, or a list is not empty
  uint8_t* kept_bounds_ = nullptr;  // of [begin_, mark_), as they were when it was marked
  size_t kept_bytes_ = 0;           // room there
  uintptr_t changed_from_ = 0;      // where they have changed since; 0: nowhere
  uintptr_t changed_to_ = 0;
  uint16_t index_ = 0;
  uint64_t queues_in_use_[2] = {};
  Queue queues_[kSizeClasses] = {};
};

}  // namespace heddle::runtime
