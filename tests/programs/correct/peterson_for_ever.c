// Peterson's lock (1981), taken and given back by two threads for ever. Each may have to wait for the other one, in a loop that it
// leaves again; round the outer loop it makes progress, in whichever function that is.
// compilers: gcc clang
// opt: -O0 -O1 -O2
// heddle: check --visited states --no-races
// expect: verdict=clean complete=true
// heddle: check --preset zing
// expect: verdict=clean complete=true
// heddle: check --visited states --no-races -- once
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int wants[2];
static atomic_int turn;
static int inside;

static void Visit(int me) {
  wants[me] = 1;
  turn = 1 - me;
  while (wants[1 - me] == 1 && turn == 1 - me) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  wants[me] = 0;
}

static void *ForEver(void *arg) {
  for (;;) Visit((int)(long)arg);
}

static void *Once(void *arg) {
  Visit((int)(long)arg);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  RunSame(2, argc > 1 ? Once : ForEver);
}
