// A watcher must see all three phases: Watch, Advance, Watch, Advance, Watch, which takes three
// preemptions.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=3
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: three reads, each of 0, 1 or 2 stores done, never fewer than the read before: C(5,2) = 10.
// traces: 10 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int phase;

static void *Watch(void *arg) {
  (void)arg;
  int before = phase;
  int between = phase;
  int after = phase;
  assert(!(before == 0 && between == 1 && after == 2));
  return 0;
}

static void *Advance(void *arg) {
  (void)arg;
  phase = 1;
  phase = 2;
  return 0;
}

int main() { RunThreads(2, (Body[]){Watch, Advance}); }
