// The same as livelock_back_off.c, but they sleep in between: so the search also has executions that end, as a repeated
// state or as redundant, while one of them is kept from going on.
// heddle: check --keep-going
// expect: verdict=bug kinds=livelock message~"in a fair schedule"
// heddle: check --order best-first --keep-going
// expect: verdict=bug kinds=livelock
// heddle: check --visited states --keep-going
// expect: verdict=bug kind=livelock complete=true states=87 message~"the same 8 operations again and again, in a fair schedule"
// heddle: check --preset zing
// expect: verdict=bug kind=livelock message~"the same 8 operations"
// every search: livelock
#include <pthread.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *Both(void *arg) {
  long me = (long)arg;
  for (;;) {
    pthread_mutex_lock(&mutex[me]);
    if (pthread_mutex_trylock(&mutex[1 - me]) == 0) break;
    pthread_mutex_unlock(&mutex[me]);
    struct timespec length = {0, 1000};
    nanosleep(&length, 0);
  }
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
  return 0;
}

int main() { RunSame(2, Both); }
