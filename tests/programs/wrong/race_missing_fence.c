// The writer has its fence, the reader forgot it.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@read
// Graphs: the load of the flag before or after the store, 2. The data is read after the store only.
// traces: 2 enumerated --keep-going
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
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    return (void *)(long)data;  // @read
  return 0;
}

int main() { RunThreads(2, (Body[]){Send, Receive}); }
