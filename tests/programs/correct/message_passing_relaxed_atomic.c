// Everything is atomic and relaxed: no ordering is promised, but nothing races either.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=3 outcomes=none,42
// Graphs: the flag is loaded before or after its store, 2; the data is loaded after its store only.
// traces: 2 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int data, ready;

static void *Send(void *arg) {
  (void)arg;
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

static void *Receive(void *arg) {
  (void)arg;
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    heddle_outcome("%d", atomic_load_explicit(&data, memory_order_relaxed));
  else
    heddle_outcome("none");
  return 0;
}

int main() { RunThreads(2, (Body[]){Send, Receive}); }
