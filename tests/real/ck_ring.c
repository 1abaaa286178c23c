// Concurrency Kit's ring: one producer and one consumer need no read-modify-write at all, two
// producers compare and exchange.
// compilers: gcc clang
// The consumer of the first finds its item or not: 2 traces. The second has 150 if every look of a
// producer that waits for the other counts, and 18 if none in vain does: so many are left of what
// enumeration and every reduction reach, once these are deleted. How many looks are proved to be in
// vain depends on the compiler (30 traces at -O0, 42 at -O2), so no number is asked for.
// traces: 2 enumerated -- spsc
// heddle: check --order depth-first --reduction optimal --leaks --uninitialised -- mpsc
// expect: verdict=clean complete=true warnings=0 redundant=0
// heddle: check -- wrong
// expect: verdict=bug kind=data-race
#include <ck_ring.h>
#include <string.h>

#include "run_threads.h"

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[2] = {1, 2}, taken;
static int several;

static void *Put(void *arg) {
  const long i = (long)arg;
  if (several)
    assert(ck_ring_enqueue_mpsc(&ring, buffer, &values[i]));
  else
    assert(ck_ring_enqueue_spsc(&ring, buffer, &values[i]));
  return 0;
}

static void *Get(void *arg) {
  void *value;
  if (several ? ck_ring_dequeue_mpsc(&ring, buffer, &value)
              : ck_ring_dequeue_spsc(&ring, buffer, &value))
    taken += *(int *)value;
  return arg;
}

// Two producers on the ring that is for one.
int main(int argc, char **argv) {
  assert(argc == 2);
  ck_ring_init(&ring, 4);
  several = strcmp(argv[1], "mpsc") == 0;
  const Body bodies[] = {Put, Get}, more[] = {Put, Put, Get};
  if (strcmp(argv[1], "spsc") == 0)
    RunThreads(2, bodies);
  else
    RunThreads(3, more);
  const int threads = strcmp(argv[1], "spsc") == 0 ? 1 : 2;
  for (int i = 0; i < threads; i++) Get(0);
  assert(taken == (threads == 1 ? 1 : 3));
}
