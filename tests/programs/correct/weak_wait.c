// Threads hand data to each other and wait in loops: only one thread has something to do at a time.
// Graphs: 1; rounds in which nothing was there are no part of one.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=1 complete=true
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean executions=1 complete=true
// heddle: check --release-sequences c++20 --memory-model sc --reduction reads-from
// expect: verdict=clean executions=1 complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kTurns = 4 };
static atomic_int turn;
static int data;

static void* Hand(void* arg) {
  const int me = (int)(long)arg;
  for (int mine = me; mine < kTurns; mine += 2) {
    while (atomic_load_explicit(&turn, memory_order_acquire) != mine) continue;
    assert(data++ == mine);
    atomic_store_explicit(&turn, mine + 1, memory_order_release);
  }
  return 0;
}

int main(void) { RunSame(2, Hand); }
