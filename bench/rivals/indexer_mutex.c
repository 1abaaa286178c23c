// indexer_mutex THREADS: the hash table of indexer_cas.c with a mutex for each slot, as Inspect ran
// it.
// Traces: 1 for THREADS <= 11, from there 8^(THREADS - 11).
#include "start.h"

enum { kSlots = 128, kMessages = 4, kStride = 11, kFactor = 7 };

static int slots[kSlots];
static pthread_mutex_t locks[kSlots];

// Whether the slot was empty, and now holds the message.
static int Take(int at, int message) {
  pthread_mutex_lock(&locks[at]);
  const int empty = slots[at] == 0;
  if (empty) slots[at] = message;
  pthread_mutex_unlock(&locks[at]);
  return empty;
}

static void* Insert(void* arg) {
  const int me = (int)(long)arg;
  for (int m = 1; m <= kMessages; ++m) {
    const int message = m * kStride + me;
    int at = message * kFactor % kSlots;
    while (!Take(at, message)) at = (at + 1) % kSlots;
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  const int threads = Number(argv[1], "the number of threads", 1, 16);
  for (int i = 0; i < kSlots; ++i) pthread_mutex_init(&locks[i], NULL);
  RunThreads(threads, Insert);
  return 0;
}
