// Concurrency Kit's queue of many producers and consumers (Michael and Scott 1998, with counted
// pointers, by cmpxchg16b in asm statements): two threads enqueue, one dequeues.
// compilers: gcc clang
// heddle: check --order depth-first --reduction optimal --leaks --uninitialised
// expect: verdict=clean complete=true warnings=0 redundant=0
#include <ck_fifo.h>
#include <stddef.h>

#include "run_threads.h"

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[2];
static int values[2] = {1, 2}, taken;

static void *Put(void *arg) {
  ck_fifo_mpmc_enqueue(&fifo, &entries[(long)arg], &values[(long)arg]);
  return NULL;
}

static void *Get(void *arg) {
  void *value = NULL;
  ck_fifo_mpmc_entry_t *garbage;
  if (ck_fifo_mpmc_dequeue(&fifo, &value, &garbage)) taken += *(int *)value;
  return arg;
}

int main(void) {
  ck_fifo_mpmc_init(&fifo, &stub);
  const Body bodies[] = {Put, Put, Get};
  RunThreads(3, bodies);
  Get(NULL);
  Get(NULL);
  assert(taken == 3);
}
