// x = 1; r = y  ||  y = 1; r = x: under sequential consistency one of the two reads must see 1.
// This is also the heart of Dekker's algorithm.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6 happens_before=3 by_preemptions=2,3
// expect: outcomes=01,10,11
// traces: 3 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, y;
static int seen_y, seen_x;

static void *First(void *arg) {
  (void)arg;
  x = 1;
  seen_y = y;
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  y = 1;
  seen_x = x;
  return 0;
}

int main() {
  RunThreads(2, (Body[]){First, Second});
  assert(seen_x || seen_y);
  heddle_outcome("%d%d", seen_y, seen_x);
}
