// Two threads that take and give back a lock until they are told to stop, which nobody does: nobody holds it, or one of the two does,
// so there are three states. All of it is explored, and that it never ends is a livelock: the threads can take turns for ever.
// compilers: gcc clang
// heddle: check --visited states --keep-going
// expect: verdict=bug kind=livelock complete=true states=3 message~"in a fair schedule"
// heddle: check --preset zing --keep-going --no-races
// expect: verdict=bug kind=livelock complete=true states=3
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static volatile int stop;

static void *Loop(void *arg) {
  while (!stop) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) { RunSame(2, Loop); }
