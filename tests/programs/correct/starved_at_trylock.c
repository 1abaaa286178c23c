// The same with a mutex, and pthread_mutex_trylock in a loop. The hog yields: no warning.
// heddle: check --order depth-first
// expect: verdict=clean complete=true bugs=0 warnings=0
// heddle: check --order context-bounded
// expect: verdict=clean complete=true bugs=0
// heddle: check --order depth-first --strict
// expect: verdict=clean bugs=0
// every search with --all: none
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void *Hog(void *arg) {
  while (!stop) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sched_yield();
  }
  return arg;
}

static void *Want(void *arg) {
  while (pthread_mutex_trylock(&mutex) != 0) {
  }
  stop = 1;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  RunThreads(2, (Body[]){Hog, Want});
  pthread_mutex_destroy(&mutex);
}
