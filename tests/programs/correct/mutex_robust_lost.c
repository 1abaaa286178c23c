// A robust mutex that is unlocked without being made consistent is lost for good: ENOTRECOVERABLE.
// heddle: check
// expect: verdict=clean complete=true
// main only joins the thread: 1 execution.
// traces: 1 enumerated
#define _GNU_SOURCE
#include <errno.h>

#include "run_threads.h"

static pthread_mutex_t mutex;

static void *Die(void *arg) {
  (void)arg;
  int locked = pthread_mutex_lock(&mutex);
  assert(locked == 0);
  return 0;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  RunSame(1, Die);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
}
