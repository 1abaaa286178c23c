// A barrier is destroyed while somebody waits at it; and one is used whose initialisation failed,
// because there is no barrier for nobody.
// heddle: check -- destroy
// expect: verdict=bug kind=misuse location=@destroy message~"while others wait at it"
// heddle: check -- nobody
// expect: verdict=bug kind=misuse location=@nobody
// expect: message~"arrives at barrier, which was never initialised"
// Graphs: the destruction before or after the arrival, 2. The second case is main alone.
// traces: 2 enumerated --keep-going -- destroy
// traces: 1 enumerated --keep-going -- nobody
#include <errno.h>
#include <string.h>

#include "run_threads.h"

static pthread_barrier_t barrier;

static void *Wait(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}

static void *Destroy(void *arg) {
  sched_yield();
  pthread_barrier_destroy(&barrier);  // @destroy
  return arg;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "nobody") == 0) {
    assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
    pthread_barrier_wait(&barrier);  // @nobody
  }
  pthread_barrier_init(&barrier, 0, 2);
  RunThreads(2, (Body[]){Wait, Destroy});
}
