// quick_exit runs its own handlers, last registered first, and not those of exit.
// heddle: check
// expect: verdict=bug kind=exit-status message~4
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <stdlib.h>

#include "run_threads.h"

static int order;

static void Never(void) { abort(); }
static void First(void) {
  assert(order == 1);
  _Exit(4);
}
static void Second(void) { order++; }

int main() {
  atexit(Never);
  assert(at_quick_exit(First) == 0 && at_quick_exit(Second) == 0);
  quick_exit(0);
}
