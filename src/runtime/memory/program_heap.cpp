#include "runtime/memory/program_heap.h"

#include "base/check.h"
#include "runtime/memory/pages.h"

namespace heddle::runtime {
namespace {

bool IsInSlices(uintptr_t address) { return address - kSlicesBegin < kArenas * kSliceBytes; }
size_t ArenaOf(uintptr_t address) { return (address - kArenasBegin) / kArenaBytes; }
size_t SliceOf(uintptr_t address) { return (address - kSlicesBegin) / kSliceBytes; }
size_t CapacityOf(const BlockHeader* block) { return block == nullptr ? 0 : block->capacity; }

}  // namespace

constinit ProgramHeap g_program_heap;

void ProgramHeap::MapBounds() {
  if (bounds_are_mapped_) return;
  HEDDLE_CHECK(MapAt(kBoundsBegin, kArenas * kArenaBytes / kUnit));
  bounds_are_mapped_ = true;
}

Arena& ProgramHeap::UseArena(unsigned index) {
  Arena& arena = arenas_[index];
  if (__builtin_expect(arena.InUse(), 1)) return arena;
  if (!arena.IsOpen()) {
    MapBounds();
    arena.Open(kArenasBegin + index * kArenaBytes, static_cast<uint16_t>(index));
    if (index >= open_end_) open_end_ = index + 1;
  }
  arena.Use();
  arenas_in_use_[arena_count_++] = static_cast<uint16_t>(index);
  return arena;
}

LargeBlocks& ProgramHeap::UseSlice(unsigned index) {
  LargeBlocks& slice = slices_[index];
  if (slice.InUse()) return slice;
  if (!slice.IsOpen()) {
    slice.Open(kSlicesBegin + index * kSliceBytes);
    if (index >= open_end_) open_end_ = index + 1;
  }
  slice.Use();
  slices_in_use_[slice_count_++] = static_cast<uint16_t>(index);
  return slice;
}

void* ProgramHeap::Take(unsigned thread, size_t bytes, size_t alignment, bool zeroed,
                        bool* reused) {
  const unsigned index = thread % kArenas;
  if (__builtin_expect(bytes <= kSmallBytes && alignment <= kSmallBytes, 1)) {
    return UseArena(index).Take(bytes, alignment, zeroed ? 0 : kFreshPattern, reused);
  }
  return UseSlice(index).Take(bytes, alignment, reused);  // its pages are zero
}

FreeResult ProgramHeap::GiveBack(void* payload, unsigned thread) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(payload);
  if (__builtin_expect(IsInProgramHeap(address), 1)) {
    const unsigned index = static_cast<unsigned>(ArenaOf(address));
    if (!arenas_[index].IsOpen()) return FreeResult::kNotABlock;
    if (__builtin_expect(reuses_now_, 0)) {
      Arena* const freer = thread == kArenas ? nullptr : &UseArena(thread % kArenas);
      return UseArena(index).GiveBackTo(address, freer);
    }
    return UseArena(index).GiveBack(address, index == thread);
  }
  if (!IsInSlices(address)) return FreeResult::kNotABlock;
  const unsigned index = static_cast<unsigned>(SliceOf(address));
  if (!slices_[index].IsOpen()) return FreeResult::kNotABlock;
  return UseSlice(index).GiveBack(address);
}

size_t ProgramHeap::BytesOf(const void* payload) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(payload);
  if (IsInProgramHeap(address)) return CapacityOf(arenas_[ArenaOf(address)].FindLive(address));
  if (!IsInSlices(address)) return 0;
  const LargeBlocks& slice = slices_[SliceOf(address)];
  return slice.IsOpen() ? slice.BytesOf(address) : 0;
}

size_t ProgramHeap::FreedBytesOf(const void* payload) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(payload);
  if (!IsInProgramHeap(address)) return 0;
  return CapacityOf(arenas_[ArenaOf(address)].FindFreed(address));
}

void ProgramHeap::SetPoisoned(uintptr_t address, size_t size, bool poisoned) {
  if (IsInProgramHeap(address))
    UseArena(static_cast<unsigned>(ArenaOf(address)))
        .SetPoisoned(address, address + size, poisoned);
}

LiveBlock ProgramHeap::FindLive(uintptr_t payload) const {
  if (IsInProgramHeap(payload)) {
    const BlockHeader* block = arenas_[ArenaOf(payload)].FindLive(payload);
    if (block != nullptr) return {payload, block->Bytes()};
  } else if (IsInSlices(payload) && slices_[SliceOf(payload)].IsOpen()) {
    const LargeBlocks::Block* block = slices_[SliceOf(payload)].FindLive(payload);
    if (block != nullptr) return {payload, block->asked_for};
  }
  return {};
}

void ProgramHeap::SetFamily(uintptr_t payload, HeapFamily family) {
  if (IsInProgramHeap(payload))
    arenas_[ArenaOf(payload)].SetFamily(payload, family);
  else
    slices_[SliceOf(payload)].SetFamily(payload, family);
}

HeapFamily ProgramHeap::FamilyOf(uintptr_t payload) const {
  if (IsInProgramHeap(payload)) return HeaderOf(payload)->Family();
  return slices_[SliceOf(payload)].FindLive(payload)->family;
}

bool ProgramHeap::IsAllInBlock(uintptr_t address, size_t size) const {
  const uintptr_t last = address + size - 1;
  if (last < address) return false;
  if (IsInProgramHeap(address)) return IsInProgramHeap(last) && IsAllAskedFor(address, last);
  return slices_[SliceOf(address)].IsInBlock(address, last);
}

namespace {

// A block beside an access.
struct Neighbour {
  uintptr_t payload = 0;  // 0: there is none
  uintptr_t end = 0;      // of what was asked for; of its memory, if it is freed
  bool freed = false;
};

Neighbour NeighbourOf(const BlockHeader* block) {
  if (block == nullptr) return {};
  if (block->state != BlockState::kLive) return {block->Payload(), block->End(), true};
  return {block->Payload(), block->Payload() + block->Bytes(), false};
}

Neighbour NeighbourOf(const LargeBlocks::Block* block) {
  if (block == nullptr) return {};
  return {block->begin, block->begin + block->asked_for, block->state != LargeBlocks::State::kLive};
}

// The nearer one, where the access touches neither.
OutOfBounds Between(const Neighbour& before, const Neighbour& behind, uintptr_t address,
                    size_t size) {
  using Side = OutOfBounds::Side;
  if (before.payload != 0 && address < before.end) {
    if (before.freed || size <= before.end - address)
      return {Side::kNone, before.payload, before.end - before.payload, before.freed, false, 0};
    return {Side::kBehind, before.payload, before.end - before.payload, false, false, 0};
  }
  const bool reaches = behind.payload != 0 && size > behind.payload - address;
  const size_t to_behind = reaches ? 0 : behind.payload - address - size;
  if (behind.payload != 0 && (before.payload == 0 || to_behind < address - before.end))
    return {Side::kBefore, behind.payload, behind.end - behind.payload,
            behind.freed,  false,          behind.payload - address};
  if (before.payload == 0) return {};
  return {Side::kBehind, before.payload,      before.end - before.payload,
          before.freed,  behind.payload == 0, address - before.end};
}

template <typename Block, typename From>
OutOfBounds FindIn(const From& from, uintptr_t address, size_t size) {
  const Block* before;
  const Block* behind;
  from.FindAround(address, &before, &behind);
  return Between(NeighbourOf(before), NeighbourOf(behind), address, size);
}

}  // namespace

OutOfBounds ProgramHeap::FindOutOfBounds(uintptr_t address, size_t size) const {
  if (IsInProgramHeap(address))
    return FindIn<BlockHeader>(arenas_[ArenaOf(address)], address, size);
  if (!IsInSlices(address)) return {};
  return FindIn<LargeBlocks::Block>(slices_[SliceOf(address)], address, size);
}

void ProgramHeap::Mark() {
  MapBounds();
  for (unsigned i = 0; i < arena_count_; ++i) arenas_[arenas_in_use_[i]].Mark();
  for (unsigned i = 0; i < slice_count_; ++i) slices_[slices_in_use_[i]].Mark();
  arena_count_ = 0;
  slice_count_ = 0;
}

void ProgramHeap::Save(base::SavedBytes& to) const {
  to.Put(arena_count_);
  to.Put(arenas_in_use_, arena_count_);
  for (unsigned i = 0; i < arena_count_; ++i) arenas_[arenas_in_use_[i]].Save(to);
}

void ProgramHeap::Restore(base::SavedBytesReader& from) {
  arena_count_ = from.Get<unsigned>();
  from.Get(arenas_in_use_, arena_count_);
  for (unsigned i = 0; i < arena_count_; ++i) {
    Arena& arena = arenas_[arenas_in_use_[i]];
    arena.Use();
    arena.Restore(from);
  }
}

void ProgramHeap::Rewind() {
  for (unsigned i = 0; i < arena_count_; ++i) arenas_[arenas_in_use_[i]].Rewind();
  for (unsigned i = 0; i < slice_count_; ++i) slices_[slices_in_use_[i]].Rewind();
  arena_count_ = 0;
  slice_count_ = 0;
}

}  // namespace heddle::runtime
