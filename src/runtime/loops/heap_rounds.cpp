#include "runtime/loops/heap_rounds.h"

#include <new>

#include "base/hash.h"
#include "runtime/memory/program_heap.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kRoundsApart = 3;  // with addresses of their own

uint64_t ChangesElsewhere(const Fiber& self) {
  return self.changes - self.memory_changes - self.lock_operations;
}

Arena& ArenaOf(const Fiber& self) { return *g_program_heap.ArenaOfThread(self.id); }

// Looks at what was written since `place.written`: was it to its stack, or to what it allocated
// since?
void NoteWrites(const Fiber& self, HeapPlace& place) {
  const uintptr_t end = g_program_heap.EndOf(self.id);
  if (self.written - place.written > kRecentWrites) place.elsewhere = true;
  for (; place.written != self.written && !place.elsewhere; ++place.written) {
    const RecentWrite write = self.windows.recent[place.written % kRecentWrites];
    const uintptr_t address = write & ((uint64_t{1} << kWriteAddressBits) - 1);
    place.elsewhere = address < place.heap || address >= end;
  }
  place.written = self.written;
}

void GiveBackFrom(const Fiber& self, uintptr_t heap) {
  ArenaOf(self).TakeBack(heap);
  for (HeapPlace& place : self.loops.heap_rounds->places)
    if (place.heap > heap) place = {};
}

HeapPlace& PlaceFor(HeapRounds& rounds, uint64_t code, uintptr_t object) {
  constexpr uint32_t kSets = HeapRounds::kPlaces / HeapRounds::kInSet;
  const uint64_t hash = base::Spread(code ^ object << 20);
  HeapPlace* const set = rounds.places + (hash >> 32) % kSets * HeapRounds::kInSet;
  HeapPlace* oldest = set;
  for (HeapPlace* place = set; place != set + HeapRounds::kInSet; ++place) {
    if (place->code == code && place->object == object) return *place;
    if (place->come_at < oldest->come_at) oldest = place;
  }
  return *oldest;
}

void Come(Fiber& self, uint64_t code, uintptr_t object) {
  HeapRounds& rounds = *self.loops.heap_rounds;
  HeapPlace& place = PlaceFor(rounds, code, object);
  const Arena& arena = ArenaOf(self);
  const uintptr_t end = arena.End();
  const uint64_t changes = ChangesElsewhere(self);
  if (place.code != code || place.object != object) {
    place = {.code = code, .object = object, .heap = end};
  } else if (place.heap != end) {
    NoteWrites(self, place);
    const bool own =
        !place.elsewhere && place.changes == changes && arena.IsParkedSince(place.heap);
    if (own && place.rounds == kRoundsApart) {
      GiveBackFrom(self, place.heap);
    } else {
      place.rounds = own ? place.rounds + 1 : 0;
      place.heap = end;
    }
  }
  place.elsewhere = false;
  place.written = self.written;
  place.changes = changes;
  place.come_at = ++rounds.come;
}

}  // namespace

void BeginHeapRounds(Fiber& self) {
  Arena* arena = g_program_heap.ArenaOfThread(self.id);
  if (arena == nullptr || g_program_heap.ReusesNow()) return;
  arena->BeginParking();
  self.loops.heap_rounds = new (g_state.bump.Take(sizeof(HeapRounds))) HeapRounds;
}

void ComeRound(Fiber& self, const op::Operation& operation) {
  Come(self, operation.pc | static_cast<uint64_t>(operation.kind) << 56, operation.object);
}

void ComeRoundToAllocate(Fiber& self, size_t bytes, const void* frame) {
  Come(self, ~uint64_t{bytes}, reinterpret_cast<uintptr_t>(frame));
}

void RememberHeap(Fiber& self, HeapBefore& before) {
  before.end = g_program_heap.EndOf(self.id);
  before.lists = g_program_heap.ListsHashOf(self.id);
  before.has_rounds = self.loops.heap_rounds != nullptr;
  if (!before.has_rounds) return;
  for (HeapPlace& place : self.loops.heap_rounds->places) NoteWrites(self, place);
  before.rounds = *self.loops.heap_rounds;
}

bool TakeHeapBack(Fiber& self, const HeapBefore& before) {
  const bool moved = before.end != g_program_heap.EndOf(self.id);
  if (!before.has_rounds) return !moved && before.lists == g_program_heap.ListsHashOf(self.id);
  if (moved) {
    if (!ArenaOf(self).IsParkedSince(before.end)) return false;
    GiveBackFrom(self, before.end);
  }
  *self.loops.heap_rounds = before.rounds;
  // What the round wrote is freed, or as it was.
  for (HeapPlace& place : self.loops.heap_rounds->places) place.written = self.written;
  return true;
}

}  // namespace heddle::runtime
