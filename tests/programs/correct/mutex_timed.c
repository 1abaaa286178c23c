// timedlock and clocklock: either the lock is had or the time is over, and both are explored. A
// time limit in the past still takes a free lock.
// heddle: check
// expect: verdict=clean complete=true outcomes=locked,timeout
// Graphs: the lock with a limit comes before the other's section or after it, or times out during it, 3.
// traces: 3 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, timeouts;

static struct timespec In(clockid_t clock, long milliseconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_nsec += milliseconds * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

static void *Hold(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Limited(void *arg) {
  (void)arg;
  struct timespec soon = In(CLOCK_REALTIME, 10);
  int answer = pthread_mutex_timedlock(&mutex, &soon);
  if (answer == ETIMEDOUT) {
    timeouts++;
    return 0;
  }
  assert(answer == 0);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Hold, Limited});
  struct timespec past = {0, 0};
  assert(pthread_mutex_timedlock(&mutex, &past) == 0);
  pthread_mutex_unlock(&mutex);
  struct timespec soon = In(CLOCK_MONOTONIC, 10);
  assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon) == 0);
  pthread_mutex_unlock(&mutex);
  assert(x + timeouts == 2);
  heddle_outcome(timeouts ? "timeout" : "locked");
}
