// A condition wait gives up one level of a recursive mutex: locked twice, it stays locked, and
// nobody can signal.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0
// Graphs: who locks first, 2. If it is the waiter, the other one never gets the mutex.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Signal(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  RunThreads(2, (Body[]){Wait, Signal});
}
