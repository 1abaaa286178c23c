// Recursion without end in a thread: reported as a crash, and the search survives it.
// compilers: gcc clang   opt: -O0   flags: -Wno-infinite-recursion
// heddle: check
// expect: verdict=bug kind=crash
// heddle: check --order depth-first --keep-going
// expect: verdict=bug bugs=1
// Graphs: the load before or after the store, 2.
// traces: 2 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int depth_wanted;

static int Recurse(volatile int *above) {
  volatile int here[64];
  here[0] = *above + 1;
  return Recurse(here) + here[0];
}

static void *Run(void *arg) {
  (void)arg;
  int zero = 0;
  if (depth_wanted) Recurse(&zero);
  return 0;
}

static void *Set(void *arg) {
  (void)arg;
  depth_wanted = 1;
  return 0;
}

int main() { RunThreads(2, (Body[]){Run, Set}); }
