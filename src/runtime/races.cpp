#include "runtime/races.h"

#include "base/check.h"
#include "base/hash.h"
#include "runtime/control.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/own_heap.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/lifetime.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

// Different races that one execution shows; no program was seen to have a tenth of that. Those of
// one pair of places are one.
constexpr uint32_t kMost = 4096;
constexpr uint32_t kSlots = 2 * kMost;
// Weak pairs of one execution: the first ones are told.
constexpr uint32_t kMostPairs = 16;
// Weak pairs that earlier executions of the search have told; most show the same ones again.
constexpr uint32_t kMostTold = 64;

struct List {  // begins as zero, but for `round`
  uint32_t count;
  uint32_t round;  // number of the execution: a slot of another one is free
  check::Race races[kMost];
  struct Slot {
    uint32_t round;
    uint32_t index;
  } slots[kSlots];
  uint32_t pair_count;
  check::Race pairs[kMostPairs];
  uint32_t told_count;
  check::Race told[kMostTold];
};
// In heddle's heap: a forked execution's races are known afterwards.
[[HEDDLE_LASTS("where the list is")]] List* list;

bool SamePlace(const check::Race& a, const check::Race& b) {
  return a.second_pc == b.second_pc && a.first_write == b.first_write &&
         a.second_write == b.second_write && a.first_atomic == b.first_atomic &&
         a.first_visible == b.first_visible && a.second_atomic == b.second_atomic &&
         a.allowed == b.allowed;
}

uint32_t SlotOf(const check::Race& race) {
  const uint64_t key = race.second_pc << 4 | race.first_write << 3 | race.second_write << 2 |
                       race.first_atomic << 1 | uint64_t{race.second_atomic};
  return static_cast<uint32_t>(base::Spread(key) >> 40) % kSlots;
}

bool Contains(const check::Race* races, uint32_t count, const check::Race& race) {
  for (uint32_t i = 0; i < count; ++i)
    if (SamePlace(races[i], race)) return true;
  return false;
}

void KeepPair(const check::Race& pair) {
  if (Contains(list->pairs, list->pair_count, pair) || list->pair_count == kMostPairs) return;
  const bool explains = g_state.recording;  // such an execution shows it again
  if (!explains && Contains(list->told, list->told_count, pair)) return;
  list->pairs[list->pair_count++] = pair;
}

void Keep(const check::Race& race) {
  uint32_t at = SlotOf(race);
  for (; list->slots[at].round == list->round; at = (at + 1) % kSlots)
    if (SamePlace(list->races[list->slots[at].index], race)) return;
  if (list->count == kMost) return NoteIncomplete(Incomplete::kManyRaces);
  list->slots[at] = {list->round, list->count};
  list->races[list->count++] = race;
}

void ForgetRaces() {
  list->count = list->pair_count = 0;
  if (++list->round == 0) {  // once in 2^32 executions
    for (List::Slot& slot : list->slots) slot = {};
    list->round = 1;
  }
}

void SaveRaces(base::SavedBytes& to) {
  to.Put(list->count);
  to.Put(list->races, list->count);
  to.Put(list->pair_count);
  to.Put(list->pairs, list->pair_count);
}

void RestoreRaces(base::SavedBytesReader& from) {
  ForgetRaces();
  for (auto left = from.Get<uint32_t>(); left != 0; --left) Keep(from.Get<check::Race>());
  list->pair_count = from.Get<uint32_t>();
  from.Get(list->pairs, list->pair_count);
}

// Shadow memory is sparse: a huge page for each touched granule would be mostly waste.
void* MapShadow(size_t bytes) {
  void* memory = ReserveMemory(bytes);
  AdviseMemory(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

void DiscardShadow(void* begin, size_t bytes) { AdviseMemory(begin, bytes, MADV_DONTNEED); }

// The memory is that of new objects: what was released there before was released by others.
void ForgetReleased(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end; ++at) {
    Object* object = LookUpObject(at, ObjectKind::kWord);
    if (object == nullptr) continue;
    object->release.Zero();
    object->heads = {};
    object->reader_release.Zero();
  }
}

}  // namespace

void WatchRaces() {
  void*& root = g_own_heap.Root(kRacesRoot);
  if (root == nullptr) {
    root = g_own_heap.TakeZeroed(sizeof(List));
    HEDDLE_CHECK(root != nullptr);
    static_cast<List*>(root)->round = 1;
  }
  list = static_cast<List*>(root);
  check::SetUpShadow({MapShadow, DiscardShadow});
  check::g_forgotten_sink = ForgetReleased;
  AddExecutionTable({.reset = ForgetRaces, .save = SaveRaces, .restore = RestoreRaces});
  AddExecutionTable({.reset = check::BeginExecution,
                     .save = check::SaveAccesses,
                     .restore = check::RestoreAccesses});
  check::g_race_sink = Keep;
  check::WatchWeakPairs(ChannelHeader().settings.mode == channel::Mode::kCheck ? KeepPair
                                                                               : nullptr);
}

// A program that wrote to heddle's heap may have changed the counts: a search that believed them
// would build findings until memory ran out.
std::span<const check::Race> RacesOfExecution() {
  HEDDLE_CHECK(list->count <= kMost);
  return {list->races, list->count};
}

std::span<const check::Race> WeakPairsOfExecution() {
  HEDDLE_CHECK(list->pair_count <= kMostPairs);
  return {list->pairs, list->pair_count};
}

void WeakPairsAreTold() {
  for (const check::Race& pair : WeakPairsOfExecution()) {
    if (list->told_count == kMostTold) return;
    if (!Contains(list->told, list->told_count, pair)) list->told[list->told_count++] = pair;
  }
}
void StopWatchingWeakPairs() { check::WatchWeakPairs(nullptr); }

}  // namespace heddle::runtime
