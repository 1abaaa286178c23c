// A condition wait asks the mutex: an error-checking one that the thread does not hold answers
// EPERM, and after a wait the mutex is held as often as before.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: who has the mutex first, 2.
// traces: 2 enumerated
#include <errno.h>

#include "run_threads.h"

static pthread_mutex_t checked, nested;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *Signal(void *arg) {
  (void)arg;
  pthread_mutex_lock(&nested);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&nested);
  return 0;
}

static void *Wait(void *arg) {
  (void)arg;
  assert(pthread_cond_wait(&changed, &checked) == EPERM);
  pthread_mutex_lock(&nested);
  while (!ready) assert(pthread_cond_wait(&changed, &nested) == 0);
  assert(pthread_mutex_unlock(&nested) == 0);
  assert(pthread_mutex_unlock(&nested) == EPERM);
  return 0;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&nested, &attributes);
  RunThreads(2, (Body[]){Signal, Wait});
}
