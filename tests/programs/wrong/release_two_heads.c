// Two threads head release sequences of one object, and the relaxed store of the first continues its own only: whoever
// reads 10 is not ordered after what the second released, although its read-modify-write came in between.
// heddle: check
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --order depth-first
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=bug kind=data-race location=@write location=@read
// Graphs: the addition has 4 places among First's store, load and store; the receiver's load comes after 0, 1, 2 or 3
// of the three writes. 4 * 4 = 16.
// traces: 16 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static int second;
static atomic_int word;

static void *First(void *arg) {
  atomic_store_explicit(&word, 1, memory_order_release);
  // 2 if the second thread's write is behind the release store, and before this one.
  int old = atomic_load_explicit(&word, memory_order_relaxed);
  atomic_store_explicit(&word, old == 2 ? 10 : 11, memory_order_relaxed);
  return arg;
}

static void *Second(void *arg) {
  second = 1;  // @write
  atomic_fetch_add_explicit(&word, 1, memory_order_release);
  return arg;
}

static void *Receive(void *arg) {
  if (atomic_load_explicit(&word, memory_order_acquire) == 10) assert(second == 1);  // @read
  return arg;
}

int main() { RunThreads(3, (Body[]){First, Second, Receive}); }
