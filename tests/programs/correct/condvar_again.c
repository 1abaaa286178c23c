// A condition variable that is destroyed and made again at the same address is a new one.
// heddle: check
// expect: verdict=clean complete=true
// In each of the two rounds the wait comes before the signal or is not needed: 4.
// traces: 4 enumerated
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static void *Set(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&changed);
  return 0;
}

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  for (int round = 0; round < 2; round++) {
    ready = 0;
    assert(pthread_cond_init(&changed, 0) == 0);
    RunThreads(2, (Body[]){Set, Wait});
    assert(pthread_cond_destroy(&changed) == 0);
  }
}
