// indexer_cas THREADS: each thread inserts four messages into a hash table of 128 slots by
// compare-and-swap, and goes on to the next slot when one is taken (Flanagan and Godefroid,
// POPL'05). Only threads that are 11 apart meet, in three slots.
// Traces: 1 for THREADS <= 11, from there 8^(THREADS - 11).
#include <stdatomic.h>

#include "start.h"

enum { kSlots = 128, kMessages = 4, kStride = 11, kFactor = 7 };

static atomic_int slots[kSlots];

static void* Insert(void* arg) {
  const int me = (int)(long)arg;
  for (int m = 1; m <= kMessages; ++m) {
    const int message = m * kStride + me;
    int at = message * kFactor % kSlots;
    for (int empty = 0; !atomic_compare_exchange_strong(&slots[at], &empty, message); empty = 0) {
      at = (at + 1) % kSlots;
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  RunThreads(Number(argv[1], "the number of threads", 1, 16), Insert);
  return 0;
}
