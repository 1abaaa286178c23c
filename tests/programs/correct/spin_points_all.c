// Loops that write to their own stack spin although every such write is a scheduling point: temporaries of code that
// is not optimised, and the expected value of a compare-exchange.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check --points all
// expect: verdict=clean complete=true
// heddle: check --points all -- 1
// expect: verdict=clean complete=true
// No number of graphs with --points all: how many plain accesses a round makes is the compiler's matter. Without, all looks
// but the last are in vain: 1 graph.
// traces: 1 enumerated
// traces: 1 enumerated -- 1
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *Load(void *arg) {
  while (!x) {
  }
  return arg;
}

static void *Exchange(void *arg) {
  int expected;
  do {
    expected = 1;
  } while (!atomic_compare_exchange_strong(&x, &expected, 2));
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argv;
  pthread_create(&thread, 0, argc == 1 ? Load : Exchange, 0);
  x = 1;
  pthread_join(thread, 0);
}
