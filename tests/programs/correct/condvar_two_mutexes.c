// One condition variable waited on with two mutexes, never at the same time: POSIX allows it.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: main locks first and waits, or does not have to, twice: 4.
// traces: 4 enumerated
#include "run_threads.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *Signal(void *arg) {
  pthread_mutex_t *lock = arg;
  pthread_mutex_lock(lock);
  ++turn;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(lock);
  return 0;
}

static void SignalAndWait(pthread_mutex_t *lock, int until) {
  pthread_t thread;
  pthread_create(&thread, 0, Signal, lock);
  pthread_mutex_lock(lock);
  while (turn < until) pthread_cond_wait(&changed, lock);
  pthread_mutex_unlock(lock);
  pthread_join(thread, 0);
}

int main() {
  SignalAndWait(&first, 1);
  SignalAndWait(&second, 2);
}
