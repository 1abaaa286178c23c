// fetch_add THREADS: each thread adds to one counter twice, and keeps what it got.
// Traces: (2 THREADS)! / 2^THREADS, the orders of all additions.
#include <stdatomic.h>

#include "start.h"

static atomic_int counter;
static int before[kMostThreads][2];

static void* AddTwice(void* arg) {
  const int me = (int)(long)arg;
  before[me][0] = atomic_fetch_add(&counter, 1);
  before[me][1] = atomic_fetch_add(&counter, 1);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  const int threads = Number(argv[1], "the number of threads", 1, kMostThreads);
  RunThreads(threads, AddTwice);
  for (int i = 0; i < threads; ++i) {
    if (before[i][0] >= before[i][1]) abort();
  }
  return counter != 2 * threads;
}
