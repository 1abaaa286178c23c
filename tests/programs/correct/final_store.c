// Figure 1 of Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration", MSR-TR-2007-12:
// x = 1; y = 1  ||  y = 2. Both final values of y can be reached without a preemption; sleep sets with that bound lose
// y = 1: after y = 2, x = 1 was explored already, and then y = 1 is never made last. There are two graphs: one for each
// order of the stores to y.
// compilers: gcc clang   opt: -O0
// heddle: check --order context-bounded --bound preemptions=0
// expect: verdict=clean happens_before=2 outcomes=y=1,y=2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=3 happens_before=2 by_preemptions=2
// heddle: check --reduction happens-before --bound preemptions=0
// expect: verdict=clean complete=true executions=2 redundant=0 happens_before=2 outcomes=y=1,y=2
// heddle: check --preset cb-por
// expect: verdict=clean complete=true executions=2 redundant=0 happens_before=2 outcomes=y=1,y=2
// heddle: check --reduction bounded --bound preemptions=0
// expect: verdict=clean complete=true executions=2 redundant=0 happens_before=2 outcomes=y=1,y=2
// heddle: check --reduction happens-before-all --bound preemptions=0
// expect: verdict=clean complete=true executions=2 happens_before=2 outcomes=y=1,y=2
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, y;

static void *First(void *arg) {
  (void)arg;
  x = 1;
  y = 1;
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  y = 2;
  return 0;
}

int main() {
  RunThreads(2, (Body[]){First, Second});
  heddle_outcome("y=%d", y);
}
