// As livelock_back_off.c, with a time limit for the second mutex: who stands before it could go on at once, or by its limit,
// and is kept from both while another one goes first.
// heddle: check --keep-going
// expect: verdict=bug kinds=livelock message~"in a fair schedule"
// heddle: check --order best-first --keep-going
// expect: verdict=bug kinds=livelock
// heddle: check --order context-bounded --timeouts last
// expect: verdict=bug kinds=livelock
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static const struct timespec limit = {1, 0};  // long over

static void *Both(void *arg) {
  long me = (long)arg;
  for (;;) {
    pthread_mutex_lock(&mutex[me]);
    if (pthread_mutex_timedlock(&mutex[1 - me], &limit) == 0) break;
    pthread_mutex_unlock(&mutex[me]);
    sched_yield();
  }
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
  return 0;
}

int main() { RunSame(2, Both); }
