// A ticket lock with tickets of two bits, for six threads: when five are in the queue, two have the same ticket.
// Interleaving: the holder, whose ticket is 0, is interrupted inside, four others draw 1, 2, 3 and 0, and the last one enters.
// One preemption if the threads wait by spinning, which is none.
// Right: eight bits.
// bug: preemptions=1 threads=7
// heddle: check --reduction optimal
// expect: verdict=bug kind=livelock
// fixed: check --reduction optimal
// expect: verdict=clean complete=true
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kThreads = 6, kMask = 255 };
#else
enum { kThreads = 6, kMask = 3 };
#endif

static atomic_uint next, serving;
static atomic_int inside;

static void *Run(void *arg) {
  unsigned mine = atomic_fetch_add(&next, 1) & kMask;
  while ((serving & kMask) != mine) {
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_fetch_add(&serving, 1);
  return arg;
}

int main() { RunSame(kThreads, Run); }
