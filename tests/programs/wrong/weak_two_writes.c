// Two threads write to two places in opposite orders, and each place keeps the write that its thread made first (2+2W).
// FIXED: seq_cst fences in between.
// Graphs: two orders of the writes to each place, 4; the one in question is forbidden by the fences.
// heddle: check --release-sequences c++20 --memory-model c11 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=4
// expect: stdout~", in modification order" stdout~"later in modification order" stdout~"x86 does not do this"
// heddle: check --memory-model tso
// expect: verdict=clean executions=3 complete=true
// fixed: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=3 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int places[2];

static void* Write(void* arg) {
  const int me = (int)(long)arg;
  atomic_store_explicit(&places[me], 1, memory_order_relaxed);
#ifdef FIXED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  atomic_store_explicit(&places[1 - me], 2, memory_order_relaxed);
  return 0;
}

int main(void) {
  RunSame(2, Write);
  assert(places[0] != 1 || places[1] != 1);
}
