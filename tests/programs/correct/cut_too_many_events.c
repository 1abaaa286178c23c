// A loop of two billion writes to an atomic: a long execution, which is no bug. It is cut at the limit of events, counted and told
// once; the search is not complete.
// heddle: check --reduction optimal --max-events 10000
// expect: verdict=incomplete executions=1 bugs=0 status=0 stdout~"cut after 10000 visible operations"
// heddle: check --reduction optimal --max-events 10000
// expect: incomplete=cut bugs=0
// No number of graphs is stated, because the search is not complete.
#include <stdatomic.h>

#include "run_threads.h"

static atomic_uint x;

static void *Run(void *arg) {
  (void)arg;
  while (x < 0x80000000u) x++;
  return 0;
}

int main() { RunSame(1, Run); }
