// Two threads each wait for a flag that only the other would set afterwards: nobody can ever
// write either.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=livelock preemptions=0 location=@spin
// Graphs: nobody ever writes, 1.
// traces: 1 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int go[2];

static void *Wait(void *arg) {
  long me = (long)arg;
  while (!go[me]) {  // @spin
  }
  go[1 - me] = 1;
  return 0;
}

int main() { RunSame(2, Wait); }
