// A snapshot of two cells by reading both twice: if the second look sees what the first saw, nothing has changed meanwhile,
// so it says. A writer that puts the old values back deceives it.
// The writer keeps the rule that `b` is set only while `a` is: (0,0) (1,0) (1,1) (1,0) (0,0) ... so (0,1) never holds.
// Interleaving: reader a=0, writer to (1,1), reader b=1, writer to (0,0), reader a=0, writer to (1,1), reader b=1.
// Right: each cell carries the number of its changes.
// bug: preemptions=6 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kRounds = 3 };

static atomic_int a, b;

static void Set(atomic_int *cell, int value) {
#ifdef FIXED
  *cell = ((*cell >> 1) + 1) << 1 | value;
#else
  *cell = value;
#endif
}

static void *Write(void *arg) {
  for (int i = 0; i < kRounds; i++) {
    Set(&a, 1);
    Set(&b, 1);
    Set(&b, 0);
    Set(&a, 0);
  }
  return arg;
}

static void *Snapshot(void *arg) {
  int first_a = a, first_b = b;
  int second_a = a, second_b = b;
  if (first_a == second_a && first_b == second_b) assert((first_a & 1) || !(first_b & 1));
  return arg;
}

int main() { RunThreads(2, (Body[]){Write, Snapshot}); }
