// A spin lock whose unlock is relaxed hands nothing over: what it guards races. FIXED: release.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=bug kind=data-race location=@count
// fixed: check --release-sequences c++20 --memory-model c11 --reduction none
// expect: verdict=clean complete=true
// fixed: check --release-sequences c++20 --memory-model tso --reduction none
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kUnlock = memory_order_release };
#else
enum { kUnlock = memory_order_relaxed };
#endif

static atomic_int locked;
static int count;

static void* Add(void* unused) {
  while (atomic_exchange_explicit(&locked, 1, memory_order_acquire) == 1) continue;
  ++count;  // @count
  atomic_store_explicit(&locked, 0, kUnlock);
  return unused;
}

int main(void) {
  RunSame(2, Add);
  assert(count == 2);
}
