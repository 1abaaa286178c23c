// What an atomic access's memory order says.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// Beside the order of a store: its unit is compiled as C, or as C++ before C++20. heddle-cc makes
// such units call functions of their own (hooks/c11_atomic.cpp).
inline constexpr int kC11Store = 1 << 30;

// The compilers put hints beside the order.
inline int StripOrderHints(int order) { return order & 7; }

inline bool Acquires(int order) {
  order = StripOrderHints(order);
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

inline bool Releases(int order) {
  order = StripOrderHints(order);
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// Does a relaxed store continue the release sequences of its own thread?
inline bool ContinuesOwn(int order) {
  return (order & kC11Store) != 0 ? g_state.c11_continues : g_state.others_continue;
}

}  // namespace heddle::runtime
