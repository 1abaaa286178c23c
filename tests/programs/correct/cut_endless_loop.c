// A loop without a single visible operation, that counts in a volatile variable: that it never ends is not proved, so its executions
// are cut when their time is up, and the search is not complete. The report names the loop.
// heddle: check --reduction optimal --hang-after 100ms
// expect: incomplete=cut bugs=0 executions=4 stdout~never
// Executions: one thread first, and the other one loads 1 and is cut: 2. Both load first, and the stores come in two orders: 2.
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
