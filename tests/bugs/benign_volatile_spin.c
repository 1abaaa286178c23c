// A pipeline of stages that hand a plain index over by a flag without atomics ("volatile is enough on x86"): races that the program means. Behind
// them: the first stage goes on when the second has *begun* with a slot.
// The accesses that race must be scheduling points for the bug to show: --points all.
// Interleaving: the second stage has lowered `full` and not read the slot; the first one writes the next item into it.
// bug: preemptions=1 threads=3 search="--points all --no-races"
// heddle: check --points all --no-races
// expect: verdict=bug kind=assertion
// heddle: check --keep-going --executions 2000
// expect: verdict=bug kinds=data-race,assertion
// fixed: check --points all --no-races
// expect: verdict=clean complete=true
#include <sched.h>

#include "run_threads.h"

enum { kItems = 3 };

static volatile int slot, full;
static int sum;

static void *First(void *arg) {
  for (int i = 1; i <= kItems; i++) {
    while (full) sched_yield();
    slot = i;
    full = 1;
  }
  return arg;
}

static void *Second(void *arg) {
  for (int i = 1; i <= kItems; i++) {
    while (!full) sched_yield();
#ifdef FIXED
    int item = slot;
    full = 0;
#else
    full = 0;
    int item = slot;
#endif
    sum += item;
  }
  return arg;
}

int main() {
  RunThreads(2, (Body[]){First, Second});
  assert(sum == kItems * (kItems + 1) / 2);
}
