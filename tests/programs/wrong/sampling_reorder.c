// "reorder_N": N-1 setters write a and then b, one checker wants both or neither, and reads them
// anew for each. It fails if it reads a as written by some setter, and b as written by none.
// By --order, in the mean of 20 seeds: docs/algorithms/sampling.md.
// heddle: check --order pct -- 3
// expect: verdict=bug kind=assertion execution<=150
// heddle: check --order pos -- 3
// expect: verdict=bug kind=assertion execution<=90
// heddle: check --order surw -- 3
// expect: verdict=bug kind=assertion execution<=90
// heddle: check --order rff -- 3
// expect: verdict=bug kind=assertion execution<=90
// heddle: check --order pct -- 10
// expect: verdict=bug kind=assertion execution<=1300
// heddle: check --order pos -- 10
// expect: verdict=bug kind=assertion execution<=360
// heddle: check --order surw -- 10
// expect: verdict=bug kind=assertion execution<=340
// heddle: check --order rff -- 10
// expect: verdict=bug kind=assertion execution<=130
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int a, b;

static void *Set(void *arg) {
  (void)arg;
  a = 1;
  b = -1;
  return 0;
}

static void *Check(void *arg) {
  (void)arg;
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int setters = atoi(argv[1]) - 1;
  Body bodies[kMostThreads];
  for (int i = 0; i < setters; i++) bodies[i] = Set;
  bodies[setters] = Check;
  RunThreads(setters + 1, bodies);
}
