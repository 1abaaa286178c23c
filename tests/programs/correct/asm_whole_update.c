// An addition to memory in one instruction without a lock prefix. Its read and its write are two steps, but it runs whole
// after both: that both threads read 0 and x ends as 1 is never seen, so the search must not say that it is complete.
// heddle: check --points all --no-races
// compilers: gcc clang   opt: -O0 -O2
// expect: incomplete=split-update
// No number of traces: two threads that each read and write x have 4, but such a search is not complete.
#include "run_threads.h"

static int x;

static void *Add(void *arg) {
  __asm__ volatile("incl %0" : "+m"(x) : : "memory", "cc");
  return arg;
}

int main(void) { RunSame(2, Add); }
