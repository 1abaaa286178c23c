// A bug for which a thread that waits in a loop has to be left. That is no preemption, by whatever the search knows that it waits.
// heddle: check --preset zing --bound preemptions=0
// expect: verdict=bug kinds=assertion preemptions=0
// heddle: check --preset zing
// expect: verdict=bug kinds=assertion preemptions=0
// heddle: check --reduction none --bound preemptions=0
// expect: verdict=bug kinds=assertion preemptions=0
// heddle: check
// expect: verdict=bug kinds=assertion preemptions=0
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, y;

static void *Wait(void *arg) {
  x = 1;
  while (y == 0) continue;
  return arg;
}

static void *Look(void *arg) {
  const int seen = x;
  y = 1;
  assert(seen == 0);
  return arg;
}

int main(void) { RunThreads(2, (Body[]){Wait, Look}); }
