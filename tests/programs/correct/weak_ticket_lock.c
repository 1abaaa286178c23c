// A ticket lock: the tickets are drawn relaxed, the number on show is released and acquired.
// Graphs: n! orders of n tickets; rounds in which another ticket is on show are no part of one.
// heddle: check --release-sequences c++20 --memory-model c11 -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --release-sequences c++20 --memory-model tso -- 2
// expect: verdict=clean executions=2 complete=true
// heddle: check --release-sequences c++20 --memory-model c11 -- 3
// expect: verdict=clean executions=6 complete=true
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int next, shown;
static int count;

static void* Add(void* unused) {
  const int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&shown, memory_order_acquire) != mine) continue;
  ++count;
  atomic_store_explicit(&shown, mine + 1, memory_order_release);
  return unused;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  RunSame(threads, Add);
  assert(count == threads);
}
