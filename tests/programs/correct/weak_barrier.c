// A barrier orders what each thread has stored before it with what the others load after it.
// Graphs: either thread arrives last, 2.
// heddle: check --memory-model c11
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_barrier_t barrier;
static atomic_int here[2];

static void* Meet(void* arg) {
  const long me = (long)arg;
  atomic_store_explicit(&here[me], 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  assert(atomic_load_explicit(&here[1 - me], memory_order_relaxed) == 1);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  RunSame(2, Meet);
  pthread_barrier_destroy(&barrier);
}
