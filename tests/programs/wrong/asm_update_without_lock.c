// An addition to memory in one instruction, but without a lock prefix: another processor may come
// between its read and its write. It is a race with itself.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race location=@update
// No number of traces: with its accesses as scheduling points the search is not complete (correct/asm_whole_update.c).
#include "run_threads.h"

static int x;

static void *Add(void *arg) {
  __asm__ volatile("incl %0" : "+m"(x) : : "memory", "cc");  // @update
  return arg;
}

int main(void) { RunSame(2, Add); }
