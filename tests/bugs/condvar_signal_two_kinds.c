// A semaphore of several units made from a mutex and a condition variable. Who gives back units signals once, although two waiters
// may be able to go on then. Large tasks need two units, small ones one; two small ones work as a pair, and meet before they give theirs back.
// Interleaving: both small ones wait; a large one gives back two units, and wakes one of them, who waits for the other one for ever.
// Right: broadcast.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
#include <semaphore.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int units = 2;
static sem_t here[2];

static void Acquire(int n) {
  pthread_mutex_lock(&mutex);
  while (units < n) pthread_cond_wait(&changed, &mutex);
  units -= n;
  pthread_mutex_unlock(&mutex);
}

static void Release(int n) {
  pthread_mutex_lock(&mutex);
  units += n;
#ifdef FIXED
  pthread_cond_broadcast(&changed);
#else
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&mutex);
}

static void *Large(void *arg) {
  Acquire(2);
  Release(2);
  return arg;
}

static void *Small(void *arg) {
  int self = (long)arg % 2;
  Acquire(1);
  sem_post(&here[!self]);
  sem_wait(&here[self]);
  Release(1);
  return 0;
}

int main() {
  for (int i = 0; i < 2; i++) sem_init(&here[i], 0, 0);
  RunThreads(4, (Body[]){Small, Small, Large, Large});
  for (int i = 0; i < 2; i++) sem_destroy(&here[i]);
}
