// The same counter with --no-races: no finding, and the guarantee says what it was bought with.
// heddle: check --no-races
// expect: verdict=clean complete=true executions=1
// expect: guarantee="every schedule explored (1 execution), assuming that plain accesses do not race (not checked): no bug within what heddle checks"
// heddle: check --no-races --points all
// expect: verdict=clean complete=true guarantee~"every schedule explored (4 executions), data races not checked: no bug"
// Without plain accesses nothing is left, 1. As scheduling points: one thread first, 2, or both read first and write in
// two orders, 2. 4.
// traces: 1 enumerated --no-races
// traces: 4 enumerated --no-races --points all
#include "run_threads.h"

static int counter;

static void *Add(void *arg) {
  (void)arg;
  counter++;
  return 0;
}

int main() { RunSame(2, Add); }
