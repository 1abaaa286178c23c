// In C11, C17 and C23 a relaxed store continues the release sequence that its own thread heads: whoever reads 1 is
// ordered after the release store, too. C++20 took that away (wrong/release_own_store.cpp).
// Three executions: the load comes before, between or behind the two stores.
// compilers: gcc clang   std: c11 c17 c2x   opt: -O0 -O2
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=3 redundant=0 outcomes=0,1,2 release_sequences=auto
// heddle: check --reduction optimal --release-sequences c11
// expect: verdict=clean complete=true executions=3 release_sequences=c11
// heddle: check --reduction optimal --release-sequences c++20
// expect: verdict=bug kind=data-race location=@write location=@read release_sequences=c++20
// traces: 3 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static int data;
static atomic_int flag;

static void *Publish(void *arg) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 2, memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}

static void *Receive(void *arg) {
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
  if (seen == 1) assert(data == 1);  // @read
  heddle_outcome("%d", seen);
  return arg;
}

int main() { RunThreads(2, (Body[]){Publish, Receive}); }
