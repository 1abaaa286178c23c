// Peterson's lock for N threads needs N - 1 levels: at each of them at least one thread stays behind. This one has N - 2 for three
// threads, so that two get through.
// Interleaving: at every level the last one to come waits; with a level too few two threads are left.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kThreads = 3, kLevels = 2 };
#else
enum { kThreads = 3, kLevels = 1 };
#endif

static atomic_int level[kThreads], last[kThreads], inside;

static int SomebodyAsFar(int self, int l) {
  for (int i = 0; i < kThreads; i++)
    if (i != self && level[i] >= l) return 1;
  return 0;
}

static void *Run(void *arg) {
  int self = (int)(long)arg;
  for (int l = 1; l <= kLevels; l++) {
    level[self] = l;
    last[l] = self;
    while (last[l] == self && SomebodyAsFar(self, l)) {
    }
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  level[self] = 0;
  return 0;
}

int main() { RunSame(kThreads, Run); }
