// store_buffering N: in a ring of N threads, each sets its own variable and reads its neighbour's.
// Traces: 2^N - 1. Every read comes before or after the write to its variable, but not all come
// before: then each thread would have read before the next one wrote, all the way round.
#include <stdatomic.h>

#include "start.h"

static atomic_int x[kMostThreads];
static int seen[kMostThreads], count;

static void* WriteThenRead(void* arg) {
  const int me = (int)(long)arg;
  atomic_store_explicit(&x[me], 1, ORDER);
  seen[me] = atomic_load_explicit(&x[(me + 1) % count], ORDER);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  count = Number(argv[1], "the number of threads", 2, kMostThreads);
  RunThreads(count, WriteThenRead);
  for (int i = 0; i < count; ++i) {
    if (seen[i] == 1) return 0;
  }
  return 1;
}
