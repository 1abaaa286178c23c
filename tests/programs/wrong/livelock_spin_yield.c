// The same with sched_yield in the loop, and with one thread only.
// heddle: check
// expect: verdict=bug kind=livelock preemptions=0
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int never;

static void *Wait(void *arg) {
  (void)arg;
  while (!never) sched_yield();
  return 0;
}

int main() { RunSame(1, Wait); }
