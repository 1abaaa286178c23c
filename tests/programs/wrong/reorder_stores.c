// "reorder_N": N-1 setters write a and then b, one checker wants both or neither. Under
// sequential consistency the checker must run between the two writes of the first setter that
// gets so far.
// heddle: check -- 2
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check -- 4
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: for each of the variables the n stores have n! orders, with n + 1 places for the load, and no choice for b
// excludes one for a: (n! (n + 1))^2, which is 36 for two setters.
// traces: 36 --keep-going -- 2
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
  int seen_a = a, seen_b = b;
  assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int setters = atoi(argv[1]);
  Body bodies[kMostThreads];
  for (int i = 0; i < setters; i++) bodies[i] = Set;
  bodies[setters] = Check;
  RunThreads(setters + 1, bodies);
}
