// Looks three times, yields, looks again, for ever. The other thread need only run. Main waits after its first rounds, whatever
// number it has counted to, until the thread has stored; it looks before and after that, or after it only.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=1 redundant=0
// heddle: check --reduction none
// expect: verdict=clean complete=true happens_before=1
// Looks in vain are no steps (docs/algorithms/spinning.md): 1.
// traces: 1 enumerated
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int busy = 1;

static void *Finish(void *arg) {
  busy = 0;
  return arg;
}

static void Spin(void) {
  for (;;) {
    for (int i = 0; i < 3; i++)
      if (busy == 0) return;
    sched_yield();
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Finish, 0);
  Spin();
  pthread_join(thread, 0);
}
