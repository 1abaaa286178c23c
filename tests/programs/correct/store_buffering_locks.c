// Two threads take two locks one after the other, in the same order: four traces, two without a
// preemption.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=14 happens_before=4 by_preemptions=2,4
// traces: 4 enumerated
#include "run_threads.h"

static pthread_mutex_t lock_x = PTHREAD_MUTEX_INITIALIZER, lock_y = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *Touch(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock_x);
  x++;
  pthread_mutex_unlock(&lock_x);
  pthread_mutex_lock(&lock_y);
  y++;
  pthread_mutex_unlock(&lock_y);
  return 0;
}

int main() {
  RunSame(2, Touch);
  assert(x == 2 && y == 2);
}
