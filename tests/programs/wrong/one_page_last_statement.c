// A statement each, and whose is the last one shows only when both threads have ended: x is 1 or 2
// then. It is a race condition all the same, and with one statement nothing else could show it.
// heddle: check --preset one-page
// expect: verdict=bug bugs=1 kind=race-condition preemptions=0 other=true
// heddle: check --order depth-first --points hooks
// expect: verdict=clean complete=true executions=2 hooks=2 outcomes=1,2
#include <heddle.h>

#include "run_threads.h"

static int x;

static void *Store(void *arg) {
  heddle_hook();
  x = arg == 0 ? 1 : 2;
  return 0;
}

int main() {
  heddle_shared(&x, sizeof x);
  RunSame(2, Store);
  heddle_outcome("%d", x);
}
