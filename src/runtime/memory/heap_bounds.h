// Which bytes of the arenas were asked for: a byte for each 16, how many of them, from the first,
// belong to what malloc was asked for. Headers, gaps and the rest of a block have none.
//
//   data    [header][ 40 bytes asked for, capacity 48   ][header] ...
//   bounds      0      16      16      8                     0
//
// So an access of at most 16 bytes is settled by one or two loads, exactly to the byte, and only an
// access that is wrong looks for its block (program_heap.h). A header lies between any two blocks,
// so the first and the last byte of such an access, if both were asked for, lie in the same block.
//
// A unit in which the program has poisoned something (hooks/asan_interface.cpp) has its number less
// kPoisoned, which as a signed one is below 0: shadow memory is to be asked about it, and the
// number is still known.
//
// Invariant: none of a block that is freed, and none where no block is. All of it is mapped
// (address space only), so that nobody has to ask first whether an address may be looked up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/prim/copy.h"

namespace heddle::runtime {

inline constexpr uintptr_t kArenasBegin = 0x110000000000;
inline constexpr uintptr_t kBoundsBegin = 0x410000000000;  // behind all blocks
inline constexpr size_t kUnit = 16;

inline uint8_t* BoundOf(uintptr_t address) {
  return reinterpret_cast<uint8_t*>(kBoundsBegin + (address - kArenasBegin) / kUnit);
}

// REQUIRES: begin and end are multiples of kUnit.
inline void ForbidRange(uintptr_t begin, uintptr_t end) {
  Fill(BoundOf(begin), 0, (end - begin) / kUnit);
}

// The first `bytes` of [payload, payload + capacity) are asked for. REQUIRES: multiples, as above;
// bytes <= capacity.
inline void SetBounds(uintptr_t payload, size_t capacity, size_t bytes) {
  uint8_t* bound = BoundOf(payload);
  const size_t whole = bytes / kUnit;
  const size_t units = capacity / kUnit;
  Fill(bound, kUnit, whole);
  if (whole == units) return;
  bound[whole] = static_cast<uint8_t>(bytes % kUnit);
  Fill(bound + whole + 1, 0, units - whole - 1);
}

inline bool IsAskedFor(uintptr_t address) {
  return static_cast<int8_t>(address % kUnit) < static_cast<int8_t>(*BoundOf(address));
}

// [first, last], which are at most 16 bytes.
inline bool AreAskedFor(uintptr_t first, uintptr_t last) {
  return IsAskedFor(last) && ((first ^ last) < kUnit || IsAskedFor(first));
}

// [first, last]: all of it.
inline bool IsAllAskedFor(uintptr_t first, uintptr_t last) {
  if (!IsAskedFor(first) || !IsAskedFor(last)) return false;
  const uint8_t* const end = BoundOf(last);
  for (const uint8_t* bound = BoundOf(first); bound < end; ++bound)
    if (*bound != kUnit) return false;
  return true;
}

inline constexpr uint8_t kPoisoned = 0x80;

// Was any byte of its unit asked for, poisoned or not?
inline bool IsUnitOfBlock(uintptr_t address) { return *BoundOf(address) != 0; }
// And all of [first, last]?
inline bool IsAllOfBlock(uintptr_t first, uintptr_t last) {
  const auto number = [](uintptr_t address) { return *BoundOf(address) & ~kPoisoned; };
  for (uintptr_t at = first | (kUnit - 1); at < last; at += kUnit)
    if (number(at) != kUnit) return false;
  return static_cast<int>(first % kUnit) < number(first) &&
         static_cast<int>(last % kUnit) < number(last);
}

// Something is poisoned in units with a byte in [begin, end).
inline void PoisonBounds(uintptr_t begin, uintptr_t end) {
  for (uintptr_t unit = begin & ~(kUnit - 1); unit < end; unit += kUnit)
    if (*BoundOf(unit) != 0) *BoundOf(unit) |= kPoisoned;
}
// Nothing is.
inline void UnpoisonBounds(uintptr_t begin, uintptr_t end) {
  for (uintptr_t unit = begin & ~(kUnit - 1); unit < end; unit += kUnit)
    *BoundOf(unit) &= static_cast<uint8_t>(~kPoisoned);
}

}  // namespace heddle::runtime
