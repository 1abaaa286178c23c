// The library's notify_one looks first whether anybody waits. It may look before a store that only releases is seen,
// while the waiter, who has announced itself, still finds the old value and sleeps for good: store buffering, on x86
// too. FIXED: the store is seq_cst, as the library's look is.
// std: c++20
// heddle: check --memory-model tso --reduction none
// expect: verdict=bug kind=deadlock
// heddle: check --memory-model c11 --reduction none
// expect: verdict=bug kind=deadlock
// heddle: check --memory-model c11
// expect: verdict=bug kind=deadlock
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// fixed: check --memory-model tso --reduction none
// expect: verdict=clean complete=true
// fixed: check --memory-model c11 --reduction none
// expect: verdict=clean complete=true
// Graphs: the spinning of the library is one look, and the store comes before it, or before the next, or ...
// fixed: check --memory-model c11
// expect: verdict=clean executions=11 complete=true
#include <atomic>

#include "run_threads.h"

#ifdef FIXED
constexpr std::memory_order kSet = std::memory_order_seq_cst;
#else
constexpr std::memory_order kSet = std::memory_order_release;
#endif

static std::atomic<int> flag;

static void* Set(void* unused) {
  flag.store(1, kSet);
  flag.notify_one();
  return unused;
}

static void* Wait(void* unused) {
  flag.wait(0, std::memory_order_acquire);
  return unused;
}

int main() {
  const Body bodies[] = {Set, Wait};
  RunThreads(2, bodies);
}
