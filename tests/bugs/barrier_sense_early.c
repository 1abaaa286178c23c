// A sense-reversing barrier that spins: the last one resets the count and turns the sense around, in the wrong order.
// Interleaving: the last one has turned the sense; a thread leaves, comes to the next barrier and counts itself; the count is then reset,
// and that thread is forgotten: all spin for ever.
// bug: preemptions=1 threads=5
// heddle: check --order context-bounded
// expect: verdict=bug kind=livelock preemptions=1
// fixed: check --order random --executions 1500
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 4, kPhases = 2 };

static atomic_int count, sense;
static atomic_int work[kPhases];

static void Wait(int *local) {
  *local = !*local;
  if (atomic_fetch_add(&count, 1) == kThreads - 1) {
#ifdef FIXED
    count = 0;
    sense = *local;
#else
    sense = *local;
    count = 0;
#endif
  } else {
    while (sense != *local) {
    }
  }
}

static void *Run(void *arg) {
  int local = 0;
  for (int i = 0; i < kPhases; i++) {
    atomic_fetch_add(&work[i], 1);
    Wait(&local);
    assert(work[i] == kThreads);
  }
  return arg;
}

int main() { RunSame(kThreads, Run); }
