// To initialise an atomic object heads no release sequence: neither the initialiser, nor atomic_init, nor a relaxed store
// by the same thread orders anything.
// heddle: check
// expect: verdict=bug bugs=1 kind=data-race location=@write location=@read
// Graphs: the load before or after the store, 2. The data is read after the store only.
// traces: 2 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int flag = 5;

static void *Publish(void *arg) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 1) assert(data == 1);  // @read
  return arg;
}

int main() {
  atomic_init(&flag, 0);
  RunThreads(2, (Body[]){Publish, Receive});
}
