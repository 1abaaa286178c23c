// "First reader locks, last reader unlocks": the count of readers has a lock of its own, but the release looks at the count after it
// has given that lock back.
// Interleaving: two readers leave; both have decremented before either looks: both see 0 and unlock the writers' lock twice, in the
// meantime a writer may be inside. Semaphores, so that nobody owns.
// bug: preemptions=1 threads=6
// heddle: check --reduction optimal
// expect: verdict=bug kind=deadlock
// fixed: check --reduction optimal
// expect: verdict=clean complete=true
#include <semaphore.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t resource;
static _Atomic int readers;
static _Atomic int writing;

static void *Read(void *arg) {
  pthread_mutex_lock(&mutex);
  if (++readers == 1) sem_wait(&resource);
  pthread_mutex_unlock(&mutex);
  assert(!writing);
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  if (--readers == 0) sem_post(&resource);
  pthread_mutex_unlock(&mutex);
#else
  --readers;
  pthread_mutex_unlock(&mutex);
  if (readers == 0) sem_post(&resource);
#endif
  return arg;
}

static void *Write(void *arg) {
  sem_wait(&resource);
  assert(writing++ == 0);
  writing--;
  sem_post(&resource);
  return arg;
}

int main() {
  sem_init(&resource, 0, 1);
  RunThreads(5, (Body[]){Read, Read, Write, Write, Read});
  int value;
  sem_getvalue(&resource, &value);
  assert(value == 1);
  sem_destroy(&resource);
}
