// What must hold after every step (heddle_invariant). A step of a thread goes from one scheduling
// point to its next: only there can another thread see what it left behind. So an invariant is
// checked where a thread publishes its next operation and where it ends; not inside an atomic
// section, which others see as one step.
#pragma once

#include <cstdint>

namespace heddle::runtime {

struct Invariant {
  int (*holds)(void*);
  void* argument;
  Invariant* next;
};

// Those of this execution, in memory that dies with it.
extern Invariant* g_invariants;

void AddInvariant(int (*holds)(void*), void* argument);

// Ends the execution if one of them does not hold.
void CheckEveryInvariant();
inline void CheckInvariants() {
  if (__builtin_expect(g_invariants != nullptr, 0)) CheckEveryInvariant();
}

}  // namespace heddle::runtime
