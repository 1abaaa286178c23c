// A loop without a single visible operation: only the processor time can tell. The report names it.
// heddle: check --hang-after 300ms
// expect: verdict=bug kind=hang thread=T2 message~never
// Graphs: one thread first, and the other one loads 1 and hangs: 2. Both load first, and the stores come in two orders:
// 2.
// traces: 4 --hang-after 300ms --keep-going
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
