// Relaxed accesses under a mutex: each thread sees what the one before it has written.
// Graphs: n! orders of n threads.
// heddle: check --memory-model c11 -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model tso -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model c11 -- 3
// expect: verdict=clean executions=6 complete=true
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;

static void* Add(void* unused) {
  pthread_mutex_lock(&mutex);
  const int old = atomic_load_explicit(&count, memory_order_relaxed);
  atomic_store_explicit(&count, old + 1, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  RunSame(threads, Add);
  assert(count == threads);
}
