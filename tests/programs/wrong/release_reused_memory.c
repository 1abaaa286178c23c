// Memory that is given back and handed out again is another object: the release sequence that a thread headed in the old
// one is not continued by its relaxed store (or read-modify-write) to the new one.
// heddle: check -- 0
// expect: verdict=bug bugs=1 kind=data-race location=@write location=@read
// heddle: check -- 1
// expect: verdict=bug bugs=1 kind=data-race location=@write location=@read
// Graphs: the pointer is loaded before or after it was stored, 2. The block is used by the one thread, and then by the
// other.
// traces: 2 enumerated --keep-going -- 0
// traces: 2 enumerated --keep-going -- 1
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static int updates;
static int data;
static _Atomic(atomic_int *) shared;

static void *Publish(void *arg) {
  data = 1;  // @write
  atomic_int *old = malloc(1 << 16);
  atomic_store_explicit(old, 5, memory_order_release);
  free(old);
  atomic_int *fresh = malloc(1 << 16);
  // heddle's heap hands a block out again when enough was freed after it.
  for (int i = 0; fresh != old && i < 1 << 20; i++) {
    free(fresh);
    fresh = malloc(1 << 16);
  }
  assert(fresh == old);
  if (updates)
    atomic_fetch_or_explicit(fresh, 1, memory_order_relaxed);
  else
    atomic_store_explicit(fresh, 1, memory_order_relaxed);
  atomic_store_explicit(&shared, fresh, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  atomic_int *flag = atomic_load_explicit(&shared, memory_order_relaxed);
  if (flag && atomic_load_explicit(flag, memory_order_acquire) & 1) assert(data == 1);  // @read
  return arg;
}

int main(int argc, char **argv) {
  updates = argc > 1 && atoi(argv[1]);
  RunThreads(2, (Body[]){Publish, Receive});
}
