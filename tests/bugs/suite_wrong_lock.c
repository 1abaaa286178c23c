// "wrong lock" among sixteen threads: a histogram with a lock for each of four cells. One of the threads takes the lock of the cell next to the
// one that it changes; the counts are kept by a load and a store.
// Interleaving: the thread with the wrong lock and one with the right one are in the same cell at once. One preemption, among 16 threads
// that order each other by the four locks in very many ways.
// bug: preemptions=1 threads=17
// heddle: check --order random --seed 2 --no-minimise
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 16, kCells = 4, kWrong = 5 };

static pthread_mutex_t mutexes[kCells];
static atomic_int cells[kCells];

static void *Count(void *arg) {
  int self = (int)(long)arg, cell = self % kCells, lock = cell;
#ifndef FIXED
  if (self == kWrong) lock = (cell + 1) % kCells;
#endif
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutexes[lock]);
    int old = cells[cell];
    cells[cell] = old + 1;
    pthread_mutex_unlock(&mutexes[lock]);
  }
  return 0;
}

int main() {
  for (int i = 0; i < kCells; i++) pthread_mutex_init(&mutexes[i], 0);
  RunSame(kThreads, Count);
  for (int i = 0; i < kCells; i++) pthread_mutex_destroy(&mutexes[i]);
  for (int i = 0; i < kCells; i++) assert(cells[i] == 2 * kThreads / kCells);
}
