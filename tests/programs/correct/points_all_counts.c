// With scheduling points at all accesses a program without a data race has as many traces as
// without: what is added does not conflict.
//   ring: each of N threads stores to a variable and loads its neighbour's, which is store
//     buffering: 2^N - 1 traces (all loads cannot come first);
//   exchange: x = 2 beside two compare-exchanges of x from 2 to 3: both before the store: 1; one
//     before it, and the other succeeds: 2; both after it, one of them first, which succeeds: 2.
// compilers: gcc clang   opt: -O0 -O2
// traces: 7 enumerated -- ring 3
// traces: 3 --points all -- ring 2
// traces: 63 -- ring 6
// traces: 63 --points all -- ring 6
// traces: 5 enumerated -- exchange 3
// traces: 5 --points all -- exchange 3
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static int threads;
static atomic_int variables[kMostThreads];
static int seen[kMostThreads];

static void *StoreAndLook(void *arg) {
  long i = (long)arg;
  variables[i] = 1;
  seen[i] = variables[(i + 1) % threads];
  return 0;
}

static void *StoreOrExchange(void *arg) {
  int expected = 2;
  if (arg == 0)
    variables[0] = 2;
  else
    atomic_compare_exchange_strong(&variables[0], &expected, 3);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  threads = atoi(argv[2]);
  RunSame(threads, strcmp(argv[1], "ring") == 0 ? StoreAndLook : StoreOrExchange);
}
