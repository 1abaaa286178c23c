// A loop of two billion writes to an atomic: every round is progress, so it is the limit of
// events that ends it.
// heddle: check --max-events 10000
// expect: verdict=bug kind=hang
// Nobody else is there: 1 execution.
// traces: 1 --max-events 10000 --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_uint x;

static void *Run(void *arg) {
  (void)arg;
  while (x < 0x80000000u) x++;
  return 0;
}

int main() { RunSame(1, Run); }
