// A thread that is done can still be in the wrong: its assertion fails when the other thread came first.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=0
// Graphs: the load before or after the store: 2.
// traces: 2 enumerated --keep-going
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int value;

static void *Look(void *arg) {
  int early = value;
  heddle_done();
  assert(early == 0);
  return arg;
}

static void *Set(void *arg) {
  value = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Look, Set}); }
