// Two observers may see two independent stores in opposite orders if they only acquire (IRIW).
// FIXED: everything is seq_cst.
// Graphs: each of four loads reads 0 or 1, 16; the one in question is forbidden among seq_cst accesses.
// heddle: check --memory-model c11 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=16
// expect: stdout~"x86 does not do this" stdout~"by memory_order_seq_cst at weak_two_observers.c:25, memory_order_seq_cst at"
// heddle: check --memory-model tso
// expect: verdict=clean executions=15 complete=true
// fixed: check --memory-model c11
// expect: verdict=clean executions=15 complete=true
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kStore = memory_order_seq_cst, kLoad = memory_order_seq_cst };
#else
enum { kStore = memory_order_release, kLoad = memory_order_acquire };
#endif

static atomic_int places[2];
static int saw[2][2];

static void* Store(void* arg) {
  atomic_store_explicit(&places[(long)arg], 1, kStore);
  return 0;
}

static void* Observe(void* arg) {
  const int first = (int)(long)arg - 2;
  saw[first][0] = atomic_load_explicit(&places[first], kLoad);
  saw[first][1] = atomic_load_explicit(&places[1 - first], kLoad);
  return 0;
}

int main(void) {
  RunThreads(4, (Body[]){Store, Store, Observe, Observe});
  assert(!(saw[0][0] == 1 && saw[0][1] == 0 && saw[1][0] == 1 && saw[1][1] == 0));
}
