// Two locks taken one after the other, never together, in opposite orders: no deadlock, three
// traces.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=38 happens_before=3 by_preemptions=2,3
// expect: outcomes=01,10,11
// traces: 3 enumerated
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t lock_x = PTHREAD_MUTEX_INITIALIZER, lock_y = PTHREAD_MUTEX_INITIALIZER;
static int x, y, seen_x, seen_y;

static void *First(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock_x);
  x = 1;
  pthread_mutex_unlock(&lock_x);
  pthread_mutex_lock(&lock_y);
  seen_y = y;
  pthread_mutex_unlock(&lock_y);
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock_y);
  y = 1;
  pthread_mutex_unlock(&lock_y);
  pthread_mutex_lock(&lock_x);
  seen_x = x;
  pthread_mutex_unlock(&lock_x);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){First, Second});
  assert(seen_x || seen_y);
  heddle_outcome("%d%d", seen_x, seen_y);
}
