// What an asm statement writes is what the report shows: libuv's cmpxchgi.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion step~"compare-exchanges v: 0 -> 1" step~"compare-exchanges v: fails, it is 1, not 0"
// heddle: check -- others
// expect: verdict=bug kind=assertion step~"exchanges v: 0 -> 5" step~"updates v: 5 -> 12" step~"stores v: 3"
#include <assert.h>

#include "run_threads.h"

static int v;

static int CompareExchange(int *at, int old, int new) {
  int out;
  __asm__ __volatile__("lock; cmpxchg %2, %1;"
                       : "=a"(out), "+m"(*(volatile int *)at)
                       : "r"(new), "0"(old)
                       : "memory");
  return out;
}

static void *Once(void *arg) {
  CompareExchange(&v, 0, 1);
  return arg;
}

static void *Others(void *arg) {
  int value = 5;
  __asm__ __volatile__("xchg %0, %1" : "+r"(value), "+m"(v) : : "memory");
  __asm__ __volatile__("lock; addl $7, %0" : "+m"(v) : : "memory");
  __asm__ __volatile__("movl %1, %0" : "=m"(v) : "r"(3) : "memory");
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  RunSame(argc > 1 ? 1 : 2, argc > 1 ? Others : Once);
  assert(v == 0);
}
