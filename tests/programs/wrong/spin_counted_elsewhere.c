// Nothing but a global variable tells the rounds of this loop apart, and it is written by another function: the loop is left
// after 20 rounds, in which the flag may not have been set.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion
// Graphs: 0 to 19 looks find the flag unset before one finds it set, or 20 do, which ends the program: 21. With 16 idle rounds
// the thread waits after 18 looks in vain (the first round has nothing to be compared with): 0 to 18, and its rounds run out.
// heddle: check --reduction optimal --keep-going --idle-rounds 32
// expect: verdict=bug complete=true executions=21 redundant=0 bugs=1
// heddle: check --reduction optimal --keep-going
// expect: verdict=bug complete=false executions=20 redundant=0 bugs=1 incomplete=idle-rounds stdout~"explored up to 16 rounds"
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
