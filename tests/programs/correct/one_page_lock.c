// A semaphore as a lock, and as a way to sleep until somebody calls (include/heddle.h).
//
// lock: two threads add to a variable. Each has the statements up, x = x + 1, down; the variable
// follows from the counters, so this is no race condition.
// sleep: the up of one thread waits for the down of another, which has set x before. So there is one
// order of the two.
// heddle: check --preset one-page
// expect: verdict=clean complete=true executions=1 outcomes=2
// heddle: check --points sync --reduction optimal
// expect: verdict=clean complete=true executions=2 outcomes=2
// heddle: check --preset one-page -- sleep
// expect: verdict=clean complete=true outcomes=7
// heddle: check --points sync --reduction optimal -- sleep
// expect: verdict=clean complete=true executions=1 outcomes=7
#include <heddle.h>

#include "run_threads.h"

static int x, seen;

static void *Add(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_up(3);
  heddle_hook();
  x = x + 1;
  heddle_hook();
  heddle_down(3);
  return 0;
}

static void *Sleep(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_up(0);
  heddle_hook();
  seen = x;
  return 0;
}

static void *Wake(void *arg) {
  (void)arg;
  heddle_hook();
  x = 7;
  heddle_hook();
  heddle_down(0);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  heddle_shared(&x, sizeof x);
  heddle_shared(&seen, sizeof seen);
  if (argc == 1) {
    RunSame(2, Add);
  } else {
    heddle_up(0);
    const Body bodies[] = {Sleep, Wake};
    RunThreads(2, bodies);
  }
  heddle_outcome("%d", argc == 1 ? x : seen);
}
