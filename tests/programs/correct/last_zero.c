// One thread looks for the last zero of an array while N others each fill one slot from the slot
// before: (N + 3) 2^(N-2) traces, the example that made sleep sets and source sets compare badly
// or well.
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=35 happens_before=5 by_preemptions=5
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=920 happens_before=12 by_preemptions=12
// traces: 12 enumerated -- 3
// traces: 28 enumerated -- 4
// traces: 64 -- 5
// traces: 3328 -- 10
// long traces: 147456 -- 15
// traces: 704 --points all -- 8
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int slots[kMostThreads];
static int count;

static void *SearchOrFill(void *arg) {
  long me = (long)arg;
  if (me == 0) {
    int i = count;
    while (slots[i] != 0) i--;
  } else {
    slots[me] = slots[me - 1] + 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  count = atoi(argv[1]);
  RunSame(1 + count, SearchOrFill);
}
