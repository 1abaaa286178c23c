// The plain counter: both threads write it with nothing in between. Found without any preemption.
// compilers: gcc clang   std: c11 c17   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race preemptions=0 location=@race
// heddle: check --preset inspect
// expect: verdict=bug kind=data-race location=@race
// Graphs: a read and a write in each thread, scheduling points once they have raced: one thread first, 2, or both read
// first and write in two orders, 2. 4.
// traces: 4 enumerated --keep-going
#include "run_threads.h"

static int counter;

static void *Add(void *arg) {
  (void)arg;
  counter++;  // @race
  return 0;
}

int main() { RunSame(2, Add); }
