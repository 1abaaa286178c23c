// A plain flag is no synchronisation: racing, on the flag and on the data behind it.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --keep-going --executions 100
// expect: verdict=bug kinds=data-race bugs>=1
// Graphs: the read before or after the write, 2.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static int ready;

static void *Set(void *arg) {
  (void)arg;
  ready = 1;  // @write
  return 0;
}

static void *Look(void *arg) {
  (void)arg;
  return (void *)(long)ready;  // @read
}

int main() { RunThreads(2, (Body[]){Set, Look}); }
