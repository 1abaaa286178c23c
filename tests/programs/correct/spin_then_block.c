// A lock that is tried a hundred times before the thread blocks: both ways to get it, and the search ends.
// heddle: check
// expect: verdict=clean complete=true executions<=20 outcomes=tried,blocked
// heddle: check --order depth-first
// expect: verdict=clean complete=true outcomes=tried,blocked
// Graphs: who gets the lock first, 2; and the other one fails 0 to 2 times before it gets it, or twice and then its rounds
// run out: before its third try it is in the same state but for the counter (docs/algorithms/spinning.md). 2 * 4 = 8.
// traces: 8 enumerated
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static int TryToAdd(void) {
  for (int i = 0; i < 100; i++) {
    if (pthread_mutex_trylock(&mutex) != 0) continue;
    x++;
    pthread_mutex_unlock(&mutex);
    return 1;
  }
  return 0;
}

static void *Add(void *arg) {
  heddle_outcome("tried");
  if (TryToAdd()) return arg;
  heddle_outcome("blocked");
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  RunSame(2, Add);
  assert(x == 2);
}
