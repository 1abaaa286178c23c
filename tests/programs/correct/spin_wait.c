// A thread that spins on a flag waits until somebody writes it: the search ends although the
// loop need not.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --order depth-first
// expect: verdict=clean complete=true
// Graphs: all looks but the last are in vain, 1.
// traces: 1 enumerated
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int ready;
static int data;

static void *Set(void *arg) {
  (void)arg;
  data = 3;
  ready = 1;
  return 0;
}

static void *Spin(void *arg) {
  (void)arg;
  while (!ready) {
  }
  assert(data == 3);
  return 0;
}

int main() { RunThreads(2, (Body[]){Set, Spin}); }
