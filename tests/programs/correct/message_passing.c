// Release/acquire: the flag publishes plain data, so there is no race.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=2 happens_before=2 by_preemptions=2
// expect: outcomes=none,42
// traces: 2 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int ready;

static void *Send(void *arg) {
  (void)arg;
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

static void *Receive(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&ready, memory_order_acquire))
    heddle_outcome("%d", data);
  else
    heddle_outcome("none");
  return 0;
}

int main() { RunThreads(2, (Body[]){Send, Receive}); }
