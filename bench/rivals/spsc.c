// spsc N: a ring of two slots between a producer and a consumer, who look 2N times each for room,
// or for a number, by acquire loads, and tell by release stores what they have taken or put.
// Executions, by other checkers: 6,321 for N = 3 and 187,137 for N = 4 under sequential
// consistency; 8,082 and 267,736 under C11.
#include <stdatomic.h>

#include "start.h"

enum { kSlots = 2, kMost = 9 };

static atomic_int taken, put;
static int looks;

static void* ProduceOrConsume(void* arg) {
  const int produces = arg == NULL;
  int own = 0;
  for (int i = 0; i < looks; ++i) {
    const int other = atomic_load_explicit(produces ? &taken : &put, memory_order_acquire);
    if (produces ? own - other >= kSlots : other <= own) continue;
    ++own;
    atomic_store_explicit(produces ? &put : &taken, own, memory_order_release);
  }
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  looks = 2 * Number(argv[1], "half the number of looks", 1, kMost);
  RunThreads(2, ProduceOrConsume);
  return 0;
}
