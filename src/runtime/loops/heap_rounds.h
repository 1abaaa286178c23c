// Loops that allocate. A thread that allocates in each round of a loop and frees it again gets
// other addresses in each round, so it would never be twice in the same state (recurrence.h), and
// no loop that waits would be recognised as one. Therefore: where it is once more before the same
// operation, or about to allocate as it did before, and all that it has allocated since is freed,
// it may give that back, and allocates at the same addresses again.
//
// Freed memory is kept apart so that a stale pointer is noticed (memory/arena.h). So this is done
// only where nobody can have one: since the thread was there it wrote to nothing but its own stack
// and these blocks, and made no other change but to memory and locks. It may have kept one itself,
// on its stack; whoever uses it in the next round is found out, because the first rounds have
// addresses of their own. With --reuse now there are none of these places: what was freed is used
// again at once.
//
// Where a block lies must follow from what its thread did, whatever the others did meanwhile, so
// that equivalent executions have the same addresses. Nothing else is looked at here; and a round
// that is taken back (await.h) leaves nothing behind.
#pragma once

#include <cstddef>

#include "op/operation.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Where a thread was: before an operation, or about to allocate.
struct HeapPlace {
  uint64_t code = 0;       // 0: free
  uintptr_t object = 0;    // that the operation is on, or the frame of the call that allocates
  uintptr_t heap = 0;      // end of the thread's arena
  uint64_t written = 0;    // Fiber::written
  uint64_t changes = 0;    // but to memory and locks
  bool elsewhere = false;  // up to `written` it wrote to other memory, or what is not known
  uint32_t rounds = 0;     // that led back here, and could have been given back
  uint32_t come_at = 0;    // HeapRounds::come
};

struct HeapRounds {
  // A place is one of a set by its hash, where it replaces the one longest not come to: those of a
  // loop must not push each other out by chance.
  static constexpr uint32_t kPlaces = 16;
  static constexpr uint32_t kInSet = 4;
  HeapPlace places[kPlaces];
  uint32_t come = 0;  // how often the thread came to one
};

// `self` frees memory for the first time. Does nothing if it has no arena of its own.
void BeginHeapRounds(Fiber& self);

// `self` stands before `operation`. REQUIRES: self.loops.heap_rounds.
void ComeRound(Fiber& self, const op::Operation& operation);
// `self` allocates, called from the function whose frame that is. REQUIRES: as above.
void ComeRoundToAllocate(Fiber& self, size_t bytes, const void* frame);

// For a round that may be taken back: what there is before it.
struct HeapBefore {
  uintptr_t end = 0;
  uint64_t lists = 0;  // of --reuse now
  bool has_rounds = false;
  HeapRounds rounds;
};
void RememberHeap(Fiber& self, HeapBefore& before);
// False: the round allocated what is not freed. Else nothing is left of the round.
bool TakeHeapBack(Fiber& self, const HeapBefore& before);

}  // namespace heddle::runtime
