// Two loops that change and restore what the other one accesses, and wait for what nobody does.
// heddle: check --order depth-first
// expect: verdict=bug kind=livelock preemptions=0 message~"in a fair schedule"
// heddle: check --order depth-first --reduction optimal
// expect: verdict=bug kind=livelock
// every search: livelock
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, y, never;

static void *A(void *arg) {
  while (!never) {
    x = 1;
    (void)atomic_load(&y);
    x = 0;
  }
  return arg;
}

static void *B(void *arg) {
  while (!never) {
    y = 1;
    (void)atomic_load(&x);
    y = 0;
  }
  return arg;
}

int main() { RunThreads(2, (Body[]){A, B}); }
