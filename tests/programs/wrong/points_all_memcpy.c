// A copy of memory is two accesses: what is written is what was there when it was read, although
// another thread writes it in between. R, W: the copy's; F: from = 1; T: a look at what was copied
// to. R before F and W before T, or not: 2 times 2 traces, and each has an outcome of its own.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --points all --keep-going
// expect: verdict=bug kinds=data-race complete=true outcomes=0-0,0-9,1-1,1-9
// traces: 4 enumerated --points all --keep-going
// So it is where the accesses are points because they were seen to race.
// heddle: check --keep-going
// expect: verdict=bug kinds=data-race complete=true outcomes=0-0,0-9,1-1,1-9
#include <heddle.h>
#include <string.h>

#include "run_threads.h"

static int from, to = 9, seen;
static volatile size_t size = sizeof from;  // so that it is a call

static void *Copy(void *arg) {
  (void)arg;
  memcpy(&to, &from, size);
  return 0;
}

static void *WriteAndLook(void *arg) {
  (void)arg;
  from = 1;
  seen = to;
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Copy, WriteAndLook});
  heddle_outcome("%d-%d", to, seen);
}
