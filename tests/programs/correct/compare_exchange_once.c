// N threads try to be first: exactly one wins. A failed compare-exchange is a read, so who loses
// first does not matter: N traces, not N!.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=2 happens_before=2 by_preemptions=2
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=6 happens_before=3 by_preemptions=3
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int x;
static int winners;  // written by the one winner only

static void *Try(void *arg) {
  (void)arg;
  int expected = 0;
  if (atomic_compare_exchange_strong(&x, &expected, 1))
    winners++;
  else
    assert(expected == 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Try);
  assert(winners == 1);
}
