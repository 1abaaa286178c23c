// The second read must see 1 and the third 2: out of Advance after its first store, out of Watch
// after its read.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=2
// heddle: check --bound preemptions=1
// expect: verdict=clean
// Graphs: two reads, each after 0, 1 or 2 stores, never fewer than the read before: C(4,2) = 6.
// traces: 6 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int phase;

static void *Watch(void *arg) {
  (void)arg;
  int first = phase;
  int second = phase;
  assert(!(first == 1 && second == 2));
  return 0;
}

static void *Advance(void *arg) {
  (void)arg;
  phase = 1;
  phase = 2;
  return 0;
}

int main() { RunThreads(2, (Body[]){Watch, Advance}); }
