// A barrier used twice: everybody sees what everybody wrote before it, and exactly one is told
// to be serial.
// heddle: check --bound preemptions=3
// expect: verdict=clean
// Graphs: two arrivals in two orders, twice. Who counts itself as serial does so before it arrives again, or alone. 4.
// traces: 4 enumerated
#include <stdatomic.h>

#include "run_threads.h"

static pthread_barrier_t barrier;
static int written[2];
static atomic_int serial;

static void *Phase(void *arg) {
  long me = (long)arg;
  written[me] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  assert(written[1 - me] == 1);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  written[me] = 2;
  return 0;
}

int main() {
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  RunSame(2, Phase);
  assert(serial == 2 && written[0] == 2 && written[1] == 2);
  assert(pthread_barrier_destroy(&barrier) == 0);
}
