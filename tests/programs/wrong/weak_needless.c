// A bug under C11 that an interleaving shows, too: the report says that it needs no weak memory.
// heddle: check --memory-model c11
// expect: verdict=bug kind=assertion stdout~"sequentially consistent: this bug needs no weak memory" stdout~"loads data: 1, acquire"
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int data;

static void* Store(void* unused) {
  atomic_store_explicit(&data, 1, memory_order_release);
  return unused;
}

static void* Load(void* unused) {
  assert(atomic_load_explicit(&data, memory_order_acquire) == 0);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Store, Load}); }
