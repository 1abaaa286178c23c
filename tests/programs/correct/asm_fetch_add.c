// The additions of fetch_add.c in asm statements, with the counts of the atomic ones: N! orders,
// each a trace of its own. `lock` stands before its instruction in every way that people write it.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=6 happens_before=6
// heddle: check --order depth-first -- 3 atomics
// expect: verdict=clean complete=true executions=6 happens_before=6
// traces: 24 enumerated -- 4
// traces: 24 enumerated -- 4 atomics
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static int x;
static _Atomic int y;

static void *Add(void *arg) {
  switch ((long)arg) {
    case 0:
      __asm__ volatile("lock; addl $1, %0" : "+m"(x) : : "memory", "cc");
      break;
    case 1:
      __asm__ volatile("lock\n\tincl %0" : "+m"(x) : : "memory", "cc");
      break;
    case 2: {
      int one = 1;
      __asm__ volatile("lock xaddl %0, %1" : "+r"(one), "+m"(x) : : "memory", "cc");
      break;
    }
    default:
      __asm__ volatile("1: lock /* a comment; with a semicolon */ subl $-1, (%0)  # and another"
                       :
                       : "r"(&x)
                       : "memory", "cc");
  }
  return 0;
}

static void *AddAtomic(void *arg) {
  (void)arg;
  atomic_fetch_add(&y, 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 2);
  const int threads = atoi(argv[1]);
  RunSame(threads, argc == 3 ? AddAtomic : Add);
  assert(x + y == threads);
}
