// One access, or one change of what memory is, as it goes through the granules of shadow memory:
// for data_race.cpp, which compares accesses, and given_back.cpp.
#pragma once

#include <new>

#include "check/data_race.h"
#include "check/shadow.h"

namespace heddle::check {

inline constexpr uint64_t kFullMask = 0xff;
inline constexpr uintptr_t kAddressEnd = uintptr_t{1} << runtime::kUserAddressBits;

template <typename T>
T* New() {
  return new (g_shadow_bump.Take(sizeof(T))) T();
}

inline op::ThreadId ThreadOf(Epoch epoch) { return static_cast<op::ThreadId>((epoch >> 32) - 1); }
inline uint32_t TickOf(Epoch epoch) { return static_cast<uint32_t>(epoch); }

inline bool Before(Epoch epoch, const trace::Clock& clock) {
  return clock.At(ThreadOf(epoch)) >= TickOf(epoch);
}

struct Visit {
  const Accessor& who;
  Epoch epoch;
  uintptr_t granule;  // address
  uint64_t mask;
  bool write;
  AccessMode mode;
  uintptr_t pc;
  bool frees = false;
  bool destroys = false;  // that is how it frees
  bool* used = nullptr;   // of what frees: set if a use is not ordered before it
};

inline bool IsAtomic(AccessMode mode) {
  return mode == AccessMode::kSeqCst || mode == AccessMode::kWeak;
}
inline uint64_t FlagsOf(AccessMode mode) {
  return uint64_t{static_cast<uint8_t>(mode)} << kAccessModeShift;
}

// The cell may be the first of its granule, which lost its bytes to others.
inline void SetKey(Cell& cell, uint64_t flags, uint64_t mask) {
  const uint64_t freed = IsCurrent(cell) ? cell.key & kFreedBit : 0;
  cell.key = g_shadow.stamp | flags | mask | freed;
}

inline void SetMask(Cell& cell, uint64_t mask) { cell.key = (cell.key & ~kMaskBits) | mask; }

// True: it is an access to memory that was given back. That is told, and not that it races with
// whoever did that, or with who has it now.
bool VisitGranule(Chunk& chunk, const Visit& visit);
// True: as VisitGranule, of any.
bool VisitRange(Visit visit, uintptr_t begin, uintptr_t end);
// Was the granule handed out again (AccessMode::kReused) by something that `clock` does not know
// of? Then who accesses it with that clock still means the block that was there before.
bool ComesBeforeReuse(const Cell& head, const trace::Clock& clock);

inline Chunk& ChunkFor(uintptr_t address) {
  Chunk* chunk = ChunkOf(address);
  return chunk != nullptr ? *chunk : *AddChunk(address);
}

// The bytes of the granule at `granule` that [begin, end) covers.
inline uint64_t Overlap(uintptr_t granule, uintptr_t begin, uintptr_t end) {
  uint64_t mask = kFullMask;
  if (begin > granule) mask &= kFullMask << (begin - granule);
  if (end < granule + kGranule) mask &= kFullMask >> (granule + kGranule - end);
  return mask;
}

inline uintptr_t Min(uintptr_t a, uintptr_t b) { return a < b ? a : b; }

// The end of [address, address + size), within what shadow memory covers.
inline uintptr_t EndOf(uintptr_t address, size_t size) {
  if (address >= kAddressEnd) return address;
  return size > kAddressEnd - address ? kAddressEnd : address + size;
}

}  // namespace heddle::check
