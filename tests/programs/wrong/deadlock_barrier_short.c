// A barrier for three that only two ever reach.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 location=@wait
// Graphs: two arrivals in two orders.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static pthread_barrier_t barrier;

static void *Wait(void *arg) {
  (void)arg;
  pthread_barrier_wait(&barrier);  // @wait
  return 0;
}

int main() {
  pthread_barrier_init(&barrier, 0, 3);
  RunSame(2, Wait);
}
