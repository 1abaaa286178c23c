// Additions of which nobody looks at what they found commute (docs/algorithms/spinning.md). A compare-exchange succeeds after any
// two of the three, and not in the order in which they are made by default.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --reduction dpor --order depth-first
// expect: verdict=bug kind=assertion
// heddle: check --reduction source --order depth-first
// expect: verdict=bug kind=assertion
#include <stdatomic.h>

#include "run_threads.h"

unsigned heddle_add_unseen(volatile unsigned *, unsigned, int);

static atomic_uint n;

static void *Add(void *arg) {
  heddle_add_unseen((volatile unsigned *)&n, 1, __ATOMIC_SEQ_CST);
  return arg;
}

static void *Exchange(void *arg) {
  unsigned two = 2;
  assert(!atomic_compare_exchange_strong(&n, &two, 7));
  return arg;
}

int main(void) {
  const Body bodies[] = {Add, Add, Add, Exchange};
  RunThreads(4, bodies);
}
