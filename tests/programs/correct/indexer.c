// N threads insert four messages each into a hash table by compare-and-swap (POPL'05). Threads 11
// apart meet in three slots, so 11 threads have one trace and each thread more has eight times as
// many. With a second argument, threads are numbered in such strides.
// traces: 1 enumerated -- 2
// traces: 8 enumerated -- 2 11
// traces: 1 -- 11
// traces: 8 -- 12
// traces: 64 -- 13
// traces: 512 -- 14
// traces: 4096 -- 15
// long traces: 32768 -- 16
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kSlots = 128, kMessages = 4 };

static atomic_int slots[kSlots];
static int stride = 1;

static void *Insert(void *arg) {
  int me = (int)(long)arg * stride;
  for (int m = 1; m <= kMessages; m++) {
    int message = m * 11 + me, at = message * 7 % kSlots;
    for (int empty = 0; !atomic_compare_exchange_strong(&slots[at], &empty, message); empty = 0)
      at = (at + 1) % kSlots;
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 2);
  if (argc > 2) stride = atoi(argv[2]);
  RunSame(atoi(argv[1]), Insert);
  int taken = 0;
  for (int i = 0; i < kSlots; i++) taken += slots[i] != 0;
  assert(taken == atoi(argv[1]) * kMessages);
}
