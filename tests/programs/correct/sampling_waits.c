// Threads that wait by yielding and by time limits, and leave traces while they do, so that heddle
// does not see them as waiting. An order that draws schedules must let the thread go on that they
// wait for, whatever the priorities: else the execution would be called a hang.
// heddle: check --order pct --executions 300 --max-events 20000
// expect: verdict=incomplete bugs=0 executions=300 guarantee~"a bug of depth 3"
// heddle: check --order pct --depth 1 --executions 300 --max-events 20000
// expect: verdict=incomplete bugs=0 executions=300 guarantee~"a bug of depth 1"
// heddle: check --order pos --executions 300 --max-events 20000
// expect: verdict=incomplete bugs=0 executions=300
// heddle: check --order surw --executions 300 --max-events 20000
// expect: verdict=incomplete bugs=0 executions=300
// heddle: check --order rff --executions 300 --max-events 20000
// expect: verdict=incomplete bugs=0 executions=300
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "run_threads.h"

static atomic_int flag, rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *Yields(void *arg) {
  (void)arg;
  while (!flag) {
    rounds++;
    sched_yield();
  }
  return 0;
}

static void *TimesOut(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!flag) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    rounds++;
    pthread_cond_timedwait(&condition, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Works(void *arg) {
  (void)arg;
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  flag = 1;
  return 0;
}

int main() { RunThreads(4, (Body[]){Yields, TimesOut, Yields, Works}); }
