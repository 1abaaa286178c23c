// Nothing but a global variable tells the rounds of this loop apart, and it is written by another function: the loop is left
// after 20 rounds, in which the flag may not have been set.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion
// Graphs: 0 to 4 looks find the flag unset, 5: a round writes, so the first two cannot be compared, and before the fifth look
// the thread has counted twice (docs/algorithms/spinning.md). Or its rounds run out, which ends the program: before the flag
// is set or after, which is one execution of a reduction.
// heddle: check --reduction optimal --keep-going
// expect: verdict=bug complete=true executions=6 redundant=0 bugs=1
// graphs: 7 --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int ready;
static int rounds;

__attribute__((noinline)) static int TooOften(void) { return ++rounds == 20; }

static void *Wait(void *arg) {
  while (!ready) {
    if (TooOften()) break;
  }
  assert(rounds < 20);
  return arg;
}

static void *Set(void *arg) {
  ready = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Wait, Set}); }
