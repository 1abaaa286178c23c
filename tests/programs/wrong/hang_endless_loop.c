// A loop without a single visible operation: only the clock can tell.
// heddle: check --hang-after 1s
// expect: verdict=bug kind=hang elapsed_s<=30
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;
static volatile int sink;

static void *Run(void *arg) {
  (void)arg;
  if (x == 1)
    for (;;) sink++;
  x = 1;
  return 0;
}

int main() { RunSame(2, Run); }
