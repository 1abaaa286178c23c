// Timed waits on both clocks: a wait ends by the signal or by the time, and a wait that nobody
// signals ends by time.
// heddle: check
// expect: verdict=clean complete=true outcomes=signal,timeout
// Graphs: the signaller's section comes first. Or the wait does, and it times out and is over before the section; or it
// times out during the section, before the signal; or it is signalled. 4.
// traces: 4 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready, timed_out;

static void *Signal(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Wait(void *arg) {
  (void)arg;
  struct timespec limit;
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  while (!ready && !timed_out) {
    int answer = pthread_cond_timedwait(&changed, &mutex, &limit);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer == ETIMEDOUT) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      assert(now.tv_sec > limit.tv_sec ||
             (now.tv_sec == limit.tv_sec && now.tv_nsec >= limit.tv_nsec));
      timed_out = 1;
    }
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  pthread_cond_init(&changed, &attributes);
  RunThreads(2, (Body[]){Signal, Wait});
  heddle_outcome(timed_out ? "timeout" : "signal");

  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_clockwait(&changed, &mutex, CLOCK_REALTIME, &limit) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  assert(pthread_cond_destroy(&changed) == 0);
}
