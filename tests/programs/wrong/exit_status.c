// The program notices by itself and ends with status 3, in one order of the two threads.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=exit-status preemptions=0 message~3
// Graphs: two stores in two orders.
// traces: 2 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int last;

static void *Run(void *arg) {
  last = (int)(long)arg;
  return 0;
}

int main() {
  RunSame(2, Run);
  return last == 0 ? 3 : 0;
}
