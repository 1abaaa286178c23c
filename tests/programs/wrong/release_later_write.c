// A relaxed store continues a release sequence in C, but it is no release itself: what its thread wrote behind the head
// is not published.
// heddle: check
// expect: verdict=bug bugs=1 kind=data-race location=@write location=@read
// Graphs: the load before, between or after the stores, 3. The data is read after both only.
// traces: 3 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static int early, late;
static atomic_int flag;

static void *Publish(void *arg) {
  early = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  late = 1;  // @write
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) {
    assert(early == 1);
    assert(late == 1);  // @read
  }
  return arg;
}

int main() { RunThreads(2, (Body[]){Publish, Receive}); }
