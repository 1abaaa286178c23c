// A block of the program's heap: sixteen bytes in front of what malloc returns.
//
//   [capacity 4][arena 2][state 2][link 6, seal 2] payload ...       freed, or no block
//   [capacity 4][arena 2][state 2][bytes 4, family 2, seal 2]        live
//
// The seal is a hash of the other fields and the address, so a header that the program wrote over
// is noticed when the block is freed. Headers lie in the program's memory on purpose: those below
// the mark are rewound with it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/hash.h"

namespace heddle::runtime {

// What a free of an address amounts to.
enum class FreeResult : uint8_t {
  kOk,
  kDoubleFree,
  kNotABlock,  // malloc did not return this address
  kCorrupt,    // it or a block before it was written outside its bounds
};

// The functions that a block is allocated by, and has to be given back by; above them, in the
// second byte, which alignment these were given: the number of its bits. 0: none.
enum class HeapFamily : uint16_t { kMalloc, kNew, kNewArray };

// REQUIRES: alignment is 0, for none, or a power of two.
constexpr HeapFamily WithAlignment(HeapFamily family, size_t alignment) {
  const auto bits = static_cast<unsigned>(std::bit_width(alignment));
  return static_cast<HeapFamily>(static_cast<unsigned>(family) | bits << 8);
}
constexpr HeapFamily FunctionsOf(HeapFamily family) {
  return static_cast<HeapFamily>(static_cast<uint16_t>(family) & 0xff);
}
// 0: it was given none.
constexpr size_t AlignmentOf(HeapFamily family) {
  const unsigned bits = static_cast<unsigned>(family) >> 8;
  return bits != 0 ? size_t{1} << (bits - 1) : 0;
}

enum class BlockState : uint16_t {
  kLive = 0xa11f,
  kFreed = 0xf4ed,
  kParked = 0x9a2d,  // freed by its arena's thread, and in no queue
  kGap = 0x6a93,
};

struct BlockHeader {
  uint32_t capacity;
  uint16_t arena;
  BlockState state;
  uint64_t link_and_seal;

  uintptr_t Payload() const { return reinterpret_cast<uintptr_t>(this + 1); }
  uintptr_t End() const { return Payload() + capacity; }
  // The next freed block of its size, or null.
  BlockHeader* Link() const { return reinterpret_cast<BlockHeader*>(link_and_seal & kAddressMask); }
  // As many as were asked for. REQUIRES: live.
  uint32_t Bytes() const { return static_cast<uint32_t>(link_and_seal); }
  HeapFamily Family() const { return static_cast<HeapFamily>(link_and_seal >> 32); }

  void Set(uint32_t new_capacity, uint16_t new_arena, BlockState new_state, BlockHeader* link) {
    SetFields(new_capacity, new_arena, new_state, reinterpret_cast<uint64_t>(link));
  }
  void SetLive(uint32_t new_capacity, uint16_t new_arena, uint32_t bytes,
               HeapFamily family = HeapFamily::kMalloc) {
    SetFields(new_capacity, new_arena, BlockState::kLive,
              bytes | static_cast<uint64_t>(family) << 32);
  }
  void Change(BlockState new_state, BlockHeader* link) { Set(capacity, arena, new_state, link); }
  bool IsSealed() const {
    return link_and_seal == ((link_and_seal & kAddressMask) | Seal(link_and_seal & kAddressMask));
  }

 private:
  static constexpr uint64_t kAddressMask = (uint64_t{1} << 48) - 1;

  void SetFields(uint32_t new_capacity, uint16_t new_arena, BlockState new_state, uint64_t link) {
    capacity = new_capacity;
    arena = new_arena;
    state = new_state;
    link_and_seal = link | Seal(link);
  }

  // The upper 16 bits of a multiplicative hash (golden ratio).
  uint64_t Seal(uint64_t link) const {
    uint64_t mix =
        capacity | static_cast<uint64_t>(arena) << 32 | static_cast<uint64_t>(state) << 48;
    mix ^= reinterpret_cast<uint64_t>(this) ^ link << 7;
    return base::Spread(mix) & ~kAddressMask;
  }
};
static_assert(sizeof(BlockHeader) == 16);

// Size classes: every 16 bytes up to 1 KiB, then four per doubling up to 1 MiB.
inline constexpr size_t kSmallBytes = size_t{1} << 20;  // above it a block is large_blocks.h's
inline constexpr unsigned kSizeClasses = 104;

inline unsigned SizeClassOf(size_t bytes) {
  if (bytes <= 16) return 0;
  if (bytes <= 1024) return static_cast<unsigned>((bytes - 1) / 16);
  const unsigned high = 63 - static_cast<unsigned>(__builtin_clzll(bytes - 1));
  const unsigned quarter = static_cast<unsigned>((bytes - 1) >> (high - 2)) & 3;
  return 64 + (high - 10) * 4 + quarter;
}

inline uint32_t SizeClassBytes(unsigned size_class) {
  if (size_class < 64) return (size_class + 1) * 16;
  const unsigned high = 10 + (size_class - 64) / 4;
  return (1u << high) + ((size_class & 3) + 1) * (1u << (high - 2));
}

inline BlockHeader* HeaderOf(uintptr_t payload) {
  return reinterpret_cast<BlockHeader*>(payload) - 1;
}

}  // namespace heddle::runtime
