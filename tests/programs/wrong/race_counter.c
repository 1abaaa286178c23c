// The plain counter: both threads write it with nothing in between. Found without any preemption.
// compilers: gcc clang   std: c11 c17   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race preemptions=0 location=@race
// heddle: check --preset inspect
// expect: verdict=bug kind=data-race location=@race
#include "run_threads.h"

static int counter;

static void *Add(void *arg) {
  (void)arg;
  counter++;  // @race
  return 0;
}

int main() { RunSame(2, Add); }
