// A thread that is alone and keeps writing the same value waits for what nobody is there to do.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=livelock executions=1 location=@spin
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

atomic_int never;
static volatile int seen;

int main() {
  while (!atomic_load(&never)) {  // @spin
    seen = 1;
  }
}
