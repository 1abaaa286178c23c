// A read-modify-write by another thread continues the release sequence, so the reader of its
// value is ordered after the first store too.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6 outcomes=0,1,2
// Graphs: the compare-exchange comes before the store and fails, and the load comes before or after the store, 2; or
// after the store, and the load has three places, 3. 5.
// traces: 5 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int step;

static void *Publish(void *arg) {
  (void)arg;
  data = 42;
  atomic_store_explicit(&step, 1, memory_order_release);
  return 0;
}

static void *Continue(void *arg) {
  (void)arg;
  int one = 1;
  atomic_compare_exchange_strong_explicit(&step, &one, 2, memory_order_relaxed,
                                          memory_order_relaxed);
  return 0;
}

static void *Receive(void *arg) {
  (void)arg;
  int seen = atomic_load_explicit(&step, memory_order_acquire);
  if (seen) assert(data == 42);
  heddle_outcome("%d", seen);
  return 0;
}

int main() { RunThreads(3, (Body[]){Publish, Continue, Receive}); }
