// One writer and N readers of one variable: 2^N traces, because readers do not depend on one
// another.
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=6 happens_before=4 by_preemptions=4
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=24 happens_before=8 by_preemptions=8
// heddle: check --order context-bounded --reduction none -- 4
// expect: verdict=clean complete=true executions=120 happens_before=16 by_preemptions=16
// traces: 16 enumerated -- 4
// traces: 8192 -- 13
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int x;
static int seen[kMostThreads];

static void *ReadOrWrite(void *arg) {
  long me = (long)arg;
  if (me == 0)
    x = 1;
  else
    seen[me] = x;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(1 + atoi(argv[1]), ReadOrWrite);
}
