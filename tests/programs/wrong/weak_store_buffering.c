// Each of two threads announces itself and looks for the other: under C11 and on x86 neither may see the other.
// FIXED: seq_cst fences in between.
// Graphs: each load reads 0 or 1, 4; both 0 is what sequential consistency and the fences forbid.
// heddle: check --memory-model c11 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=4
// expect: stdout~"x86 can do this" stdout~"by atomic_thread_fence(memory_order_seq_cst) before weak_store_buffering.c:29"
// expect: stdout~"by memory_order_seq_cst at weak_store_buffering.c:25 and memory_order_seq_cst at weak_store_buffering.c:29"
// heddle: check --memory-model tso --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=4 step~"stale: T1 has stored 1 at" step~"which is in its store buffer still"
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=3 complete=true
// fixed: check --memory-model c11
// expect: verdict=clean executions=3 complete=true
// fixed: check --memory-model tso
// expect: verdict=clean executions=3 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int here[2];
static int saw[2];

static void* Meet(void* arg) {
  const int me = (int)(long)arg;
  atomic_store_explicit(&here[me], 1, memory_order_release);
#ifdef FIXED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  saw[me] = atomic_load_explicit(&here[1 - me], memory_order_acquire);
  return 0;
}

int main(void) {
  RunSame(2, Meet);
  assert(saw[0] || saw[1]);
}
