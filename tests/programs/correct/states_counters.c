// Two threads with N operations each that have nothing to do with each other: thread i is before one of its N operations or has
// ended, so there are (N+1)^2 states, less the last one, from which nobody goes on but main. Plain enumeration runs
// C(2N, N) schedules. That data races are looked for makes no more of them: what a thread knows follows from where the others are.
// compilers: gcc clang
// heddle: check --visited states -- 1
// expect: verdict=clean complete=true states=3 guarantee~"every state explored (3 states"
// heddle: check --visited states -- 4
// expect: verdict=clean complete=true states=24
// heddle: check --visited states --no-races -- 10
// expect: verdict=clean complete=true states=120
// heddle: check --visited states --exact -- 10
// expect: verdict=clean complete=true states=120 stdout~"compared word by word"
// heddle: check --preset zing --exact -- 4
// expect: verdict=clean complete=true states=24
// heddle: check --preset zing -- 4
// expect: verdict=clean complete=true states=24
// Without a preemption one thread ends before the other one begins: 4N - 1 states, of which both orders have the first. From each of the
// others, (N-1)^2, one thread was interrupted. A second preemption leads to none that is new.
// expect: states_by_bound=15,9,0
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int counters[2];
static int operations;

static void *Count(void *arg) {
  for (int i = 0; i < operations; i++) atomic_fetch_add(&counters[(long)arg], 1);
  return 0;
}

int main(int argc, char **argv) {
  operations = argc > 1 ? atoi(argv[1]) : 1;
  RunSame(2, Count);
}
