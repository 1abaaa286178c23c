// A reference count that is decremented relaxed: who frees the object is not ordered after those who used it.
// FIXED: acquire and release.
// Graphs: either thread decrements first, 2.
// heddle: check --memory-model c11
// expect: verdict=bug kind=use-after-free
// fixed: check --memory-model c11
// expect: verdict=clean executions=2 complete=true
// fixed: check --memory-model tso
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

#ifdef FIXED
enum { kRelease = memory_order_acq_rel };
#else
enum { kRelease = memory_order_relaxed };
#endif

static struct {
  atomic_int references;
  int used[2];
}* object;

static void* Use(void* arg) {
  object->used[(long)arg] = 1;
  if (atomic_fetch_sub_explicit(&object->references, 1, kRelease) == 1) free(object);
  return 0;
}

int main(void) {
  object = calloc(1, sizeof *object);
  object->references = 2;
  RunSame(2, Use);
}
