// x = 1; y = 1  ||  y = 2: with no preemption at all, both final values of y are reachable. A
// search that combines sleep sets with a preemption bound and nothing else loses one of them.
// heddle: check --order context-bounded --bound preemptions=0
// expect: verdict=clean happens_before=2 outcomes=y=1,y=2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=3 happens_before=2 by_preemptions=2
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
