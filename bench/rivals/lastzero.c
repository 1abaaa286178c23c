// lastzero N: one thread looks from the end of an array for the last zero, while N others each fill
// one slot from the slot before (Abdulla and others, POPL'14). What the first thread reads decides
// what it does next, which makes sleep sets waste executions.
// Traces: (N + 3) 2^(N - 2) for N >= 2.
#include <stdatomic.h>

#include "start.h"

static atomic_int slots[kMostThreads];
static int count;

static void* SearchOrFill(void* arg) {
  const int me = (int)(long)arg;
  if (me == 0) {
    int i = count;
    while (atomic_load_explicit(&slots[i], ORDER) != 0) --i;
  } else {
    const int before = atomic_load_explicit(&slots[me - 1], ORDER);
    atomic_store_explicit(&slots[me], before + 1, ORDER);
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  count = Number(argv[1], "the number of threads that fill", 1, kMostThreads - 1);
  RunThreads(1 + count, SearchOrFill);
  return 0;
}
