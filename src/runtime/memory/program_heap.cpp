#include "runtime/memory/program_heap.h"

namespace heddle::runtime {
namespace {

bool IsInSlices(uintptr_t address) { return address - kSlicesBegin < kArenas * kSliceBytes; }
size_t ArenaOf(uintptr_t address) { return (address - kArenasBegin) / kArenaBytes; }
size_t SliceOf(uintptr_t address) { return (address - kSlicesBegin) / kSliceBytes; }
size_t CapacityOf(const BlockHeader* block) { return block == nullptr ? 0 : block->capacity; }

}  // namespace

constinit ProgramHeap g_program_heap;

Arena& ProgramHeap::UseArena(unsigned index) {
  Arena& arena = arenas_[index];
  if (__builtin_expect(arena.InUse(), 1)) return arena;
  if (!arena.IsOpen()) {
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

void ProgramHeap::Mark() {
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
