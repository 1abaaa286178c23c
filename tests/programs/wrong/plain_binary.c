// A deadlock in a binary that was built by the ordinary compiler: found, named, replayed.
// build: plain
// heddle: check --uninstrumented
// expect: verdict=bug kind=deadlock preemptions=1
#include "run_threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}

int main() { RunSame(2, Lock); }
