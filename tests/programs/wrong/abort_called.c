// abort() in one order of two threads.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=abort preemptions=0 location=@abort
// Graphs: the first compare-exchange succeeds, the other one reads: 2. abort() commutes with what the other thread
// does.
// traces: 2 --keep-going
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int first;

static void *Run(void *arg) {
  int mine = 1 + (int)(long)arg, none = 0;
  if (atomic_compare_exchange_strong(&first, &none, mine) && mine == 2) abort();  // @abort
  return 0;
}

int main() { RunSame(2, Run); }
