// The addition of one thread releases what it wrote, and that of the other one acquires. In the order in which they are made the
// accesses to `data` are ordered, in the other one they race; only one of the two is explored.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race
#include "run_threads.h"

unsigned heddle_add_unseen(volatile unsigned *, unsigned, int);

static unsigned n;
int data;

static void *Write(void *arg) {
  data = 1;
  heddle_add_unseen(&n, 1, __ATOMIC_SEQ_CST);
  return arg;
}

static void *Read(void *arg) {
  heddle_add_unseen(&n, 1, __ATOMIC_SEQ_CST);
  assert(data >= 0);
  return arg;
}

int main(void) {
  const Body bodies[] = {Write, Read};
  RunThreads(2, bodies);
}
