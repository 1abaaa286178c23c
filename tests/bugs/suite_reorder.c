// "reorder_N": N - 1 threads set `a` and then `b`, one thread reads `a` and then `b`, and finds only one of them set if it comes between the
// two stores of the thread that is the first to reach them. With N threads that can all go on, a walk that takes one interleaving after
// another hardly ever comes to it; one with few preemptions or from the front does.
// Right: the reader reads `b` first.
// bug: preemptions=1 threads=4
// bug: name=suite_reorder_10 args=10 preemptions=1 threads=11
// bug: name=suite_reorder_20 args=20 preemptions=1 threads=21
// bug: name=suite_reorder_50 args=50 preemptions=1 threads=51
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// fixed: check
// expect: verdict=clean complete=true
// fixed: check --order random --executions 1000 -- 10
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int a, b;

static void *Set(void *arg) {
  a = 1;
  b = -1;
  return arg;
}

static void *Check(void *arg) {
#ifdef FIXED
  int y = b, x = a;
  assert(x == 1 || y == 0);
#else
  int x = a, y = b;
  assert((x == 0 && y == 0) || (x == 1 && y == -1));
#endif
  return arg;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 3;
  Body bodies[kMostThreads];
  for (int i = 0; i < threads; i++) bodies[i] = i + 1 < threads ? Set : Check;
  RunThreads(threads, bodies);
}
