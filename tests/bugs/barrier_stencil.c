// A stencil in two arrays: each of four threads computes its cells of the new array from the old one. There must be a barrier after each
// round; a "cheap" one lets a thread go on as soon as its left neighbour is done with the round, and forgets the right one.
// Interleaving: thread i is two rounds ahead of its right neighbour and writes over the cell that this one still needs.
// The cells are atomic, so that the wrong result shows and no data race.
// bug: preemptions=0 threads=5
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=0
// fixed: check --order random --executions 800
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 4, kRounds = 3 };

static atomic_int cells[2][kThreads], rounds_done[kThreads];

static void Await(int thread, int rounds) {
  while (rounds_done[thread] < rounds) {
  }
}

static void *Run(void *arg) {
  int self = (int)(long)arg, left = (self + kThreads - 1) % kThreads, right = (self + 1) % kThreads;
  for (int round = 0; round < kRounds; round++) {
    Await(left, round);
#ifdef FIXED
    Await(right, round);
#endif
    int sum = cells[round % 2][left] + cells[round % 2][right];
    cells[(round + 1) % 2][self] = sum;
    rounds_done[self] = round + 1;
  }
  return 0;
}

int main() {
  for (int i = 0; i < kThreads; i++) cells[0][i] = 1;
  RunSame(kThreads, Run);
  for (int i = 0; i < kThreads; i++) assert(cells[kRounds % 2][i] == 1 << kRounds);
}
