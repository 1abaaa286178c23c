// Atomic operations and fences that run with another memory order than the program says, or with a
// fence before them: what would the program do if it said so? (`heddle orders`, and what a report
// says would forbid a bug.) And which operations there are, each told once.
//
// The door to atomic memory asks (AtomicStep), where g_state.order_overrides says that there is
// something to be told or to be done otherwise.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "runtime/primitives/atomic_orders.h"

namespace heddle::runtime {

// What the program says of an operation.
struct Orders {
  Orders(int as_said) : order(as_said), failure(as_said) {}  // NOLINT: most have but one
  Orders(int success, int of_failure) : order(success), failure(of_failure) {}
  // Of an asm statement: it is the machine's, and nobody says it.
  static Orders OfInstruction(int order) {
    Orders orders = order;
    orders.of_instruction = true;
    return orders;
  }

  int order;
  int failure;  // of a compare-exchange
  bool of_instruction = false;
};

struct RunAs {
  Orders orders;
  int fence_before = __ATOMIC_RELAXED;  // none
};

// Before the first execution.
void InitOrderOverrides();

// The running thread stands before the operation, whose hook returns to `pc`.
// REQUIRES: g_state.order_overrides.
RunAs RunAsOf(op::Kind kind, const Orders& orders, uintptr_t pc);

}  // namespace heddle::runtime
