// The same counter with --no-races: no finding, and the guarantee says what it was bought with.
// heddle: check --no-races
// expect: verdict=clean
#include "run_threads.h"

static int counter;

static void *Add(void *arg) {
  (void)arg;
  counter++;
  return 0;
}

int main() { RunSame(2, Add); }
