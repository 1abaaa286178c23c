// Two threads take two directions of a single-track line by flags: raise the own flag, look at the other's, and lower the own again
// if both are up. After four attempts a train is sent back to the depot, "for the other one has the line then".
// Interleaving: one sees the other flag in each of its attempts and is interrupted with its own flag raised; then the other one does the same.
// Right: only one of the two lowers its flag, the other waits.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kAttempts = 4 };

static atomic_int flag[2], passed;

static void *Drive(void *arg) {
  int self = (int)(long)arg;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    flag[self] = 1;
    int other = flag[!self];
#ifdef FIXED
    while (self == 0 && other) other = flag[1];
#endif
    if (!other) {
      passed++;
      flag[self] = 0;
      return 0;
    }
    flag[self] = 0;
  }
  return 0;
}

int main() {
  RunSame(2, Drive);
  assert(passed > 0);
}
