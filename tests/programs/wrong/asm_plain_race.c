// A store in an asm statement, and C's plain read of it in another thread: nothing orders them.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race location=@store location=@read
// Graphs: once the race is told the accesses are scheduling points: the read before or after the store, 2.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static int x;

static void *Write(void *arg) {
  __asm__ volatile("movl $1, %0" : "=m"(x));  // @store
  return arg;
}

static void *Read(void *arg) {
  return x ? arg : 0;  // @read
}

int main(void) {
  const Body bodies[] = {Write, Read};
  RunThreads(2, bodies);
}
