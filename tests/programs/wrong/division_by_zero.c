// SIGFPE, when the reset comes between the check and the division.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=crash preemptions=1 message~SIGFPE location=@divide
// Graphs: the reset before, between or after the two loads: 3.
// traces: 3 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int count = 4;
static volatile int average;

static void *Average(void *arg) {
  (void)arg;
  if (count != 0) average = 100 / count;  // @divide
  return 0;
}

static void *Reset(void *arg) {
  (void)arg;
  count = 0;
  return 0;
}

int main() { RunThreads(2, (Body[]){Average, Reset}); }
