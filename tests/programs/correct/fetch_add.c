// N threads, one atomic addition each: N! orders, and every order is a different trace.
// compilers: gcc clang   std: c11 c17   opt: -O0 -O2
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=2 happens_before=2 by_preemptions=2
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=6 happens_before=6 by_preemptions=6
// heddle: check --order context-bounded --reduction none -- 4
// expect: verdict=clean complete=true executions=24 happens_before=24 by_preemptions=24
// traces: 6 enumerated -- 3
// traces: 24 enumerated -- 4
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int x;

static void *Add(void *arg) {
  (void)arg;
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Add);
  assert(x == atoi(argv[1]));
}
