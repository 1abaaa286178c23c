// message_passing N: one thread writes data that is not atomic and then sets a flag; N others look
// at the flag once, and at the data if it is set.
// Traces: 2^N, as every receiver comes before or after the flag is set.
#include <stdatomic.h>

#include "start.h"

enum { kData = 42 };

static int data;
static atomic_int ready;

static void* SendOrReceive(void* arg) {
  if (!arg) {
    data = kData;
    atomic_store_explicit(&ready, 1, memory_order_release);
  } else if (atomic_load_explicit(&ready, memory_order_acquire)) {
    if (data != kData) abort();
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  RunThreads(1 + Number(argv[1], "the number of receivers", 1, kMostThreads - 1), SendOrReceive);
  return 0;
}
