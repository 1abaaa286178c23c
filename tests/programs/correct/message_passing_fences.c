// Relaxed flag, but a release fence before the store and an acquire fence after the load: no race.
// compilers: gcc clang
// heddle: check --order depth-first
// expect: verdict=clean complete=true outcomes=none,42
// Graphs: the load before or after the store, 2.
// traces: 2 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int ready;

static void *Send(void *arg) {
  (void)arg;
  data = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

static void *Receive(void *arg) {
  (void)arg;
  int seen = atomic_load_explicit(&ready, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (seen)
    heddle_outcome("%d", data);
  else
    heddle_outcome("none");
  return 0;
}

int main() { RunThreads(2, (Body[]){Send, Receive}); }
