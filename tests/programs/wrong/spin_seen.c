// A loop that changes x and changes it back leaves everything as it was, but others can see it: it must not wait as if nobody
// cared. Seeing 1, 0, 1, 0, 1, 0 takes three rounds of it.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion
// 8 is the least: --order context-bounded has 101,550 executions with 7 and less. Minimising does not run as many.
// heddle: check --order depth-first
// expect: verdict=bug kind=assertion preemptions=8 fewer_may_do=true
// There are infinitely many graphs: one for every number of times that the loop blinks before it is stopped.
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, stop;

static void *Blink(void *arg) {
  while (!stop) {
    x = 1;
    x = 0;
  }
  return arg;
}

static void *Look(void *arg) {
  int seen = 0;
  for (; seen < 6 && x == !(seen & 1); seen++) {
  }
  stop = 1;
  assert(seen != 6);
  return arg;
}

int main() { RunThreads(2, (Body[]){Blink, Look}); }
