// x = x + 1 by an atomic load and an atomic store loses an update with one preemption; no data
// race is involved.
// compilers: gcc clang   std: c11 c17   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@final message~x
// heddle: check --bound preemptions=0
// expect: verdict=clean
// heddle: check --order random --seed 1
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: one thread first, 2; or both load first, and the stores come in two orders: 4.
// traces: 4 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *Increment(void *arg) {
  (void)arg;
  atomic_store(&x, atomic_load(&x) + 1);
  return 0;
}

int main() {
  RunSame(2, Increment);
  assert(x == 2);  // @final
}
