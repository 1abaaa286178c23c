// Timed read-write locks: locked or timed out, never anything else.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: either comes first, and the other one gives up meanwhile or comes after that: 4.
// traces: 4 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static struct timespec Soon(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += 1;
  return t;
}

static void *Write(void *arg) {
  (void)arg;
  struct timespec soon = Soon(CLOCK_REALTIME);
  int answer = pthread_rwlock_timedwrlock(&lock, &soon);
  if (answer == ETIMEDOUT) return 0;
  assert(answer == 0);
  value++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *Read(void *arg) {
  (void)arg;
  struct timespec soon = Soon(CLOCK_MONOTONIC);
  int answer = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon);
  if (answer == ETIMEDOUT) return 0;
  assert(answer == 0);
  assert(value == 0 || value == 1);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Write, Read});
  assert(pthread_rwlock_destroy(&lock) == 0);
}
