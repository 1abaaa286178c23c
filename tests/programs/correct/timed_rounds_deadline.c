// Loops that wait until a moment which is computed from the clock, as C programs do.
// compilers: gcc clang
// opt: -O0 -O2
//
// The moment is computed once, before the loop: no round reads the clock, and what was read before the first round does not depend on
// how many follow. The worker waits before main sets the flag or finds it set (1); main's signal ends the wait, or finds it over: its
// limit has passed once, twice (in vain), and main comes before or within the rounds:
// traces: 7 enumerated -- once
// heddle: check -- once
// expect: verdict=clean complete=true executions=7
// heddle: check --timeouts last -- once
// expect: verdict=clean complete=true
// heddle: check -- semaphore
// expect: verdict=clean complete=true
// The clock is read again after the loop: what it says depends on how many rounds were made.
// heddle: check -- after
// expect: verdict=incomplete incomplete=time-of-rounds bugs=0
// The moment is computed in each round. Nobody proves that it matters to nothing but the wait: the search ends, and is no proof.
// heddle: check -- each
// expect: verdict=incomplete incomplete=idle-rounds,time-of-rounds bugs=0
// heddle: check --reduction optimal -- each
// expect: verdict=incomplete incomplete=idle-rounds,time-of-rounds bugs=0
// Such rounds that end by the clock, after some 20: all are explored.
// heddle: check -- total
// expect: verdict=clean complete=true
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static const char *mode;
static int ready;

static struct timespec In(long milliseconds) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += milliseconds * 1000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_nsec -= 1000000000;
    ++at.tv_sec;
  }
  return at;
}

static void *Wait(void *arg) {
  struct timespec until = In(50);
  if (strcmp(mode, "semaphore") == 0) {
    while (sem_timedwait(&semaphore, &until) != 0) {
    }
    return arg;
  }
  pthread_mutex_lock(&mutex);
  if (strcmp(mode, "total") == 0) {
    const time_t end = In(1000).tv_sec + 1;
    while (!ready && In(0).tv_sec < end) {
      until = In(100);
      pthread_cond_timedwait(&changed, &mutex, &until);
    }
  } else if (strcmp(mode, "each") == 0) {
    while (!ready) {
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_sec += 1;
      pthread_cond_timedwait(&changed, &mutex, &until);
    }
  } else {
    while (!ready) pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  if (strcmp(mode, "after") == 0) In(0);
  return arg;
}

int main(int argc, char **argv) {
  mode = argc > 1 ? argv[1] : "once";
  sem_init(&semaphore, 0, 0);
  pthread_t worker;
  pthread_create(&worker, NULL, Wait, NULL);
  if (strcmp(mode, "semaphore") == 0) {
    sem_post(&semaphore);
  } else {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(worker, NULL);
  sem_destroy(&semaphore);
}
