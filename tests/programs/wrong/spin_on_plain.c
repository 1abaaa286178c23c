// A thread spins on a plain variable until another one has set it: a data race, although the thread comes to no
// scheduling point in the loop, so that the other one could never run. When --hang-after is over, heddle looks, and makes
// the read a scheduling point.
// compilers: gcc clang   opt: -O1
// heddle: check --hang-after 500ms
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --hang-after 500ms --keep-going --executions 100
// expect: verdict=bug kinds=data-race bugs=1
#include "run_threads.h"

static volatile int ready;

static void *Wait(void *arg) {
  while (!ready) {  // @read
  }
  return arg;
}

static void *Set(void *arg) {
  ready = 1;  // @write
  return arg;
}

int main(void) { RunThreads(2, (Body[]){Wait, Set}); }
