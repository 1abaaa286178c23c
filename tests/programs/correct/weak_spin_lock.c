// A spin lock by compare-exchange.
// Graphs: n! orders of n threads; attempts in vain are no part of one.
// heddle: check --release-sequences c++20 --memory-model c11 -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --release-sequences c++20 --memory-model tso -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --release-sequences c++20 --memory-model c11 -- 3
// expect: verdict=clean executions=6 complete=true
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int locked;
static int count;

static void* Add(void* unused) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(&locked, &expected, 1, memory_order_acquire, memory_order_relaxed))
    expected = 0;
  ++count;
  atomic_store_explicit(&locked, 0, memory_order_release);
  return unused;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  RunSame(threads, Add);
  assert(count == threads);
}
