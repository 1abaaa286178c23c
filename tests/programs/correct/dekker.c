// Dekker's entry protocol, once per thread: at most one of the two gets in, so `inside` is never
// raced for.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6 happens_before=3 by_preemptions=2,3
// expect: outcomes=0,1
// traces: 3 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int wants[2];
static int inside;

static void *Enter(void *arg) {
  long me = (long)arg;
  wants[me] = 1;
  if (!wants[1 - me]) inside++;
  return 0;
}

int main() {
  RunSame(2, Enter);
  heddle_outcome("%d", inside);
}
