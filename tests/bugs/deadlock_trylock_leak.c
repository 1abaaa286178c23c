// Two locks in either order, made safe by trylock: who does not get the second gives back the first and tries again. In the path that
// was added later, where the second lock is found broken off by a flag, the first is not given back.
// Interleaving: the flag is set between the trylock that failed and the look at it. With four threads and two pairs of locks.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static int done;

static void Both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (int attempt = 0; attempt < 3; attempt++) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) {
      done++;
      pthread_mutex_unlock(second);
      pthread_mutex_unlock(first);
      return;
    }
#ifdef FIXED
    pthread_mutex_unlock(first);
    if (stop) return;
#else
    if (stop) return;
    pthread_mutex_unlock(first);
#endif
  }
}

static void *Forth(void *arg) {
  Both(&a, &b);
  return arg;
}

static void *Back(void *arg) {
  Both(&b, &a);
  return arg;
}

static void *Stop(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  stop = 1;
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  return arg;
}

int main() { RunThreads(4, (Body[]){Forth, Back, Stop, Forth}); }
