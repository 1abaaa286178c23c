// The same counter with --no-races: no finding, and the guarantee says what it was bought with.
// heddle: check --no-races
// expect: verdict=clean complete=true executions=1
// expect: guarantee="every schedule explored (1 execution), assuming that plain accesses do not race: no bug within what heddle checks"
// heddle: check --no-races --points all
// expect: verdict=clean complete=true guarantee~"every schedule explored (4 executions): no bug"
#include "run_threads.h"

static int counter;

static void *Add(void *arg) {
  (void)arg;
  counter++;
  return 0;
}

int main() { RunSame(2, Add); }
