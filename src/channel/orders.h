// Atomic operations and fences that are to run with another memory order than the program says, at
// kOrdersAt. Which ones there are the program's process tells (AtomicRecord).
#pragma once

#include <cstdint>

namespace heddle::channel {

// A return address, which a process has elsewhere than the one before it.
struct CodePlace {
  char module[64];  // name of its file, cut off; empty: the program itself
  uint64_t offset;

  bool operator==(const CodePlace&) const = default;
};

// Where an operation is told apart: the return address of its hook, then those of its callers as
// far as they matter. Without optimisation all stores of a program are made in one function of the
// standard library.
inline constexpr unsigned kMaxOrderFrames = 6;

// Orders are numbers of the compiler's, __ATOMIC_RELAXED and so on; of what has no failure order
// that is the order.
struct OrderOverride {
  CodePlace frames[kMaxOrderFrames];
  uint32_t frame_count;
  // What returns to frames[0] is told apart by its caller, too; nothing below counts.
  uint8_t by_caller;
  uint8_t op_kind;         // op::Kind
  uint8_t order, failure;  // as the program says
  uint8_t run_order, run_failure;
  uint8_t fence_before;  // of this order; __ATOMIC_RELAXED: none
  uint8_t padding;
};

inline constexpr uint64_t kOrdersBytes = 2ull << 20;
inline constexpr uint64_t kMaxOrderOverrides = kOrdersBytes / sizeof(OrderOverride);

}  // namespace heddle::channel
