// A spin loop is found although another read, at another place, came before it; also one that reads twice in a round.
// heddle: check
// expect: verdict=clean complete=true
// No number of graphs is stated: how often the loop that reads twice goes round before it is known to wait is a matter
// of when that is noticed (docs/algorithms/spinning.md).
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int ready, data;

static int Both(void) { return atomic_load(&ready) + atomic_load(&data); }

static void *Wait(void *arg) {
  if (atomic_load(&data) > 5) return arg;
  while (!atomic_load(&ready)) {
  }
  while (Both() < 2) {
  }
  return 0;
}

static void *Give(void *arg) {
  (void)arg;
  atomic_store(&ready, 1);
  atomic_store(&data, 1);
  return 0;
}

int main() { RunThreads(2, (void *(*[])(void *)){Wait, Give}); }
