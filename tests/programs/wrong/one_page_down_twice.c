// A semaphore that is down is not lowered further (include/heddle.h): two threads lower one, and
// whoever comes first, one up succeeds after that, and a second one would wait. So a third thread
// that raises it twice comes through only if one of the two comes in between: else it waits for ever.
//
// With a down in each of two threads, and two ups in the third, from a semaphore that is up: the
// first up comes after a first down, the second up after a down that comes after the first up. The
// orders down up down up are two, by who lowers first; down down up ends as a deadlock.
// heddle: check --order depth-first --points hooks
// expect: verdict=bug kind=deadlock bugs=1
// heddle: check --points sync --reduction optimal --keep-going
// expect: verdict=bug kind=deadlock bugs=1 executions=3 outcomes=through
#include <heddle.h>

#include "run_threads.h"

static void *Lower(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_down(9);
  return 0;
}

static void *Raise(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_up(9);
  heddle_hook();
  heddle_up(9);
  return 0;
}

int main() {
  heddle_up(9);
  const Body bodies[] = {Raise, Lower, Lower};
  RunThreads(3, bodies);
  heddle_outcome("through");
}
