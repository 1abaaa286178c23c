// Two threads that want to enter, each of which gives way as long as the other one wants to: "after you". In step with each
// other they never enter, and every thread runs: a fair livelock.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check --order depth-first
// expect: verdict=bug kind=livelock message~"in a fair schedule" loops=@look,@again
// heddle: check --order depth-first --reduction optimal
// expect: verdict=bug kind=livelock message~"in a fair schedule" livelock=fair
// heddle: check --order context-bounded
// expect: verdict=bug kind=livelock message~"in a fair schedule" loops=@look,@again
// every search: livelock
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int want[2];

static void *Enter(void *arg) {
  long me = (long)arg;
  want[me] = 1;
  while (want[1 - me]) {  // @look
    want[me] = 0;
    want[me] = 1;  // @again
  }
  want[me] = 0;
  return 0;
}

int main() { RunSame(2, Enter); }
