// N threads, x = x + 1 as an atomic load and an atomic store: (N!)^2 traces, and lost updates
// are among them.
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=6 happens_before=4 by_preemptions=2,4
// expect: outcomes=x=1,x=2
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=90 happens_before=36 by_preemptions=6,24,36
// expect: outcomes=x=1,x=2,x=3
// heddle: check --order context-bounded --reduction none -- 3
// expect: verdict=clean complete=true executions=90 happens_before=36 by_preemptions=6,24,36
// heddle: check --order context-bounded --reduction none -- 4
// expect: verdict=clean complete=true executions=2520 happens_before=576
// expect: by_preemptions=24,168,432,576
// heddle: check --order context-bounded -- 4
// expect: verdict=clean complete=true redundant>=1 happens_before=576 by_preemptions=24,168,432,576
// heddle: check --order context-bounded --bound preemptions=1 -- 4
// expect: verdict=clean happens_before=168 by_preemptions=24,168
// traces: 4 enumerated -- 2
// traces: 36 enumerated -- 3
// traces: 576 enumerated -- 4
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int x;

static void *Increment(void *arg) {
  (void)arg;
  atomic_store(&x, atomic_load(&x) + 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Increment);
  heddle_outcome("x=%d", x);
}
