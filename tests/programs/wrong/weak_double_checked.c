// Double-checked locking whose first look is relaxed: it sees the pointer and not what it points to.
// FIXED: that look acquires.
// Graphs: both look too early and one of them locks first, 2; one of them looks after the other has published, 2.
// heddle: check --memory-model c11
// expect: verdict=bug kind=data-race location=@read
// fixed: check --memory-model c11
// expect: verdict=clean executions=4 complete=true
// fixed: check --memory-model tso
// expect: verdict=clean executions=4 complete=true
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kLook = memory_order_acquire };
#else
enum { kLook = memory_order_relaxed };
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int object;
static _Atomic(int*) instance;

static void* Use(void* unused) {
  int* found = atomic_load_explicit(&instance, kLook);
  if (!found) {
    pthread_mutex_lock(&mutex);
    found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!found) {
      object = 42;
      found = &object;
      atomic_store_explicit(&instance, found, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(*found == 42);  // @read
  return unused;
}

int main(void) { RunSame(2, Use); }
