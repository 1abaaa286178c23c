// A CLH lock: a thread spins on the node of the one before it. After release its node may still be watched, so it must go on with
// its predecessor's. This one uses its own again, and only takes care not to wait for itself.
// Interleaving: T1 releases and locks again at once with the same node, before T2, who waits for this node, has seen it free: T1
// waits for T2 and T2 for T1.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=livelock
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 3, kRounds = 2 };

static atomic_int busy[kThreads + 1], tail = kThreads;
static int counter;

static void *Run(void *arg) {
  int mine = (int)(long)arg;
  for (int i = 0; i < kRounds; i++) {
    busy[mine] = 1;
    int before = atomic_exchange(&tail, mine);
    while (before != mine && busy[before]) {
    }
    counter++;
    busy[mine] = 0;
#ifdef FIXED
    mine = before;
#endif
  }
  return 0;
}

int main() {
  RunSame(kThreads, Run);
  assert(counter == kThreads * kRounds);
}
