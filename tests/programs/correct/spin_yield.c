// The same with a yield in the loop, two flags, and each thread waiting for the other once.
// heddle: check
// expect: verdict=clean complete=true executions=1
// Graphs: all looks but the last of each thread are in vain, 1. (By default another execution is cut short, where that
// is learnt.)
// graphs: 1
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flags[2];
static int data[2];

static void *Meet(void *arg) {
  long me = (long)arg;
  data[me] = 1;
  flags[me] = 1;
  while (!flags[1 - me]) sched_yield();
  assert(data[1 - me] == 1);
  return 0;
}

int main() { RunSame(2, Meet); }
