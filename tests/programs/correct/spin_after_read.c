// A spin loop is found although another read, at another place, came before it; also one that reads twice in a round.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: the first read of data sees 1, and then everything does; or it sees 0, and so do some rounds of the loop that reads
// twice, which are not in vain: 0 to 5. The place at which a thread is looked for is that of its first read, which is given
// up at the ninth operation after it (docs/algorithms/spinning.md), in the fourth round. Before the sixth round is over, the
// thread is known to wait. 1 + 6 = 7.
// traces: 7 enumerated
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
