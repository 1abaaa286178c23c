// N threads, lock; x++; unlock: N! orders, all without a preemption.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=2 happens_before=2 by_preemptions=2
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=6 happens_before=6 by_preemptions=6
// heddle: check --order context-bounded --reduction none -- 4
// expect: verdict=clean complete=true executions=24 happens_before=24 by_preemptions=24
// traces: 6 enumerated -- 3
// traces: 24 enumerated -- 4
// traces: 5040 -- 7
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *Add(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Add);
  assert(x == atoi(argv[1]));
}
