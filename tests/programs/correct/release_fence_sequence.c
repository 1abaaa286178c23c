// A relaxed store behind a release fence heads a sequence, too: of what was known at the fence. Another thread's
// read-modify-write continues it, and so does, in C, a later relaxed store of the same thread; in every language that one
// is behind the fence itself.
//
// Graphs: the store S, the read-modify-write F of another thread and the second store X: F comes before, between or
// behind S and X: 3 orders, and the load reads the initial value or one of the three writes: 12.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=12 redundant=0
// heddle: check --reduction optimal --release-sequences c++20
// expect: verdict=clean complete=true executions=12 redundant=0
// traces: 12 enumerated
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int word;

static void *Publish(void *arg) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&word, 1, memory_order_relaxed);
  atomic_store_explicit(&word, 10, memory_order_relaxed);
  return arg;
}

static void *Continue(void *arg) {
  atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  int seen = atomic_load_explicit(&word, memory_order_acquire);
  if (seen == 2 || seen >= 10) assert(data == 1);
  return arg;
}

int main() { RunThreads(3, (Body[]){Publish, Continue, Receive}); }
