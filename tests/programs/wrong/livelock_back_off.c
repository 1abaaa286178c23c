// Each takes its own mutex, tries the other one, and gives its own back if that fails: no deadlock, but a livelock. They
// yield, too, which is of no help where they do so in step.
// heddle: check --order context-bounded
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// heddle: check --order depth-first --reduction source
// expect: verdict=bug kind=livelock
// every search: livelock
#include <pthread.h>
#include <sched.h>

#include "run_threads.h"

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *Both(void *arg) {
  long me = (long)arg;
  for (;;) {
    pthread_mutex_lock(&mutex[me]);
    if (pthread_mutex_trylock(&mutex[1 - me]) == 0) break;
    pthread_mutex_unlock(&mutex[me]);
    sched_yield();
  }
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
  return 0;
}

int main() { RunSame(2, Both); }
