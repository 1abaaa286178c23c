// Readers of a read-write lock synchronise with writers, not with each other: of what a reader stored another one need not know.
// heddle: check --release-sequences c++20 --memory-model c11 --keep-going
// expect: verdict=bug bugs=1 kind=assertion
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int stored[2];
static int found[2];

static void* Cross(void* arg) {
  const long me = (long)arg;
  atomic_store_explicit(&stored[me], 1, memory_order_relaxed);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  found[me] = atomic_load_explicit(&stored[1 - me], memory_order_relaxed);
  return 0;
}

int main(void) {
  RunSame(2, Cross);
  assert(found[0] != 0 || found[1] != 0);
}
