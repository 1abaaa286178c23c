// pthread_once: who finds it done knows what it has stored.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=2 complete=true
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int x;

static void Init(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }

static void* Use(void* unused) {
  pthread_once(&once, Init);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
  return unused;
}

int main(void) { RunSame(2, Use); }
