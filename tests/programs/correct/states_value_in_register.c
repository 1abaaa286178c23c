// Two states whose memory is the same: what T1 has read is in a register of its own until it looks at `other`, and T2 has put back
// what it wrote meanwhile.
// compilers: gcc clang
// heddle: check --visited states
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check --visited states --exact
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check --preset zing
// expect: verdict=clean complete=true outcomes=0,1
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int word, other;

static void *Look(void *arg) {
  int seen = word;
  (void)atomic_load(&other);
  heddle_outcome("%d", seen);
  return arg;
}

static void *Write(void *arg) {
  word = 1;
  word = 0;
  return arg;
}

int main(void) { RunThreads(2, (Body[]){Look, Write}); }
