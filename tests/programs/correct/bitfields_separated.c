// Bit fields kept apart by a field of width zero are separate memory locations: no race.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// Graphs: nothing conflicts, 1.
// traces: 1 enumerated
#include "run_threads.h"

static struct {
  unsigned first : 4;
  unsigned : 0;
  unsigned second : 4;
} bits;

static void *Write(void *arg) {
  if (arg)
    bits.second = 2;
  else
    bits.first = 1;
  return 0;
}

int main() {
  RunSame(2, Write);
  assert(bits.first == 1 && bits.second == 2);
}
