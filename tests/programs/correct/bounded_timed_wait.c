// Two threads wait with a time limit for a broadcast, or not at all if it was made. Whoever was woken could have given up before:
// the reduction by a table of states did not know that, and never counted as complete.
// heddle: check --reduction none
// expect: verdict=clean complete=true happens_before=76 by_preemptions=2,10,36,76
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true happens_before=76 executions=76
// heddle: check --reduction happens-before --bound preemptions=1
// expect: verdict=clean complete=true happens_before=10 executions=10
// heddle: check --reduction happens-before --bound preemptions=2
// expect: verdict=clean complete=true happens_before=36 executions=36
// heddle: check --reduction optimal
// expect: verdict=clean complete=true happens_before=76 executions=76
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *WaitForAWhile(void *unused) {
  const struct timespec limit = {.tv_sec = 2000000000};
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_timedwait(&condition, &mutex, &limit);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, WaitForAWhile, 0);
  pthread_mutex_lock(&mutex);
  ready = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
