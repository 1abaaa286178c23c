// N threads, each an atomic load and store of x and then an addition to y: (N!)^3 traces.
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=20 happens_before=8 by_preemptions=2,6,8
// heddle: check --order context-bounded --reduction none -- 3
// expect: verdict=clean complete=true executions=1680 happens_before=216
// expect: by_preemptions=6,42,120,192,216
// traces: 8 enumerated -- 2
// traces: 216 enumerated -- 3
// traces: 13824 -- 4
// long traces: 13824 enumerated -- 4
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int x, y;

static void *Count(void *arg) {
  (void)arg;
  atomic_store(&x, atomic_load(&x) + 1);
  atomic_fetch_add(&y, 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Count);
  assert(y == atoi(argv[1]));
}
