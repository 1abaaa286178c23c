// Objects that are used after somebody destroyed them, where nothing orders the two.
// heddle: check --keep-going -- mutex
// expect: verdict=bug kind=misuse location=@mutex
// expect: message~"locks mutex, which was destroyed by T1 at misuse_destroyed.c:"
// heddle: check -- twice
// expect: verdict=bug kind=misuse
// expect: message~"destroys mutex, which was destroyed by T"
// heddle: check -- condition
// expect: verdict=bug kind=misuse location=@condition
// expect: message~"broadcasts condition variable condition, which was destroyed by T1"
// heddle: check --keep-going -- rwlock
// expect: verdict=bug kind=misuse location=@rwlock
// expect: message~"locks read-write lock rwlock, which was destroyed by T1"
// heddle: check -- semaphore
// expect: verdict=bug kind=misuse location=@semaphore
// expect: message~"posts semaphore, which was destroyed by T1"
// heddle: check -- barrier
// expect: verdict=bug kind=misuse location=@barrier
// expect: message~"arrives at barrier, which was destroyed by T1"
// Traces: the use comes before its object's destruction or after it, 2, or the destruction between lock and unlock, 3.
// Graphs: after it, the use ends the program when the thread that destroys has made each of its remaining steps or not;
// between, the destruction does, before the unlock or after it, 2. The mutex 1 + 5 + 2; the second destruction 1 + 5;
// the condition variable 1 + 4; the read-write lock 1 + 3 + 2; the semaphore 1 + 2; the barrier 1 + 1.
// traces: 3 --keep-going -- mutex
// traces: 2 --keep-going -- twice
// traces: 2 --keep-going -- condition
// traces: 3 --keep-going -- rwlock
// traces: 2 --keep-going -- semaphore
// traces: 2 --keep-going -- barrier
// graphs: 8 --keep-going -- mutex
// graphs: 6 --keep-going -- twice
// graphs: 5 --keep-going -- condition
// graphs: 6 --keep-going -- rwlock
// graphs: 3 --keep-going -- semaphore
// graphs: 2 --keep-going -- barrier
#include <semaphore.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static const char *what;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Destroy(void *arg) {
  sched_yield();
  pthread_mutex_destroy(&mutex);
  pthread_cond_destroy(&condition);
  pthread_rwlock_destroy(&rwlock);
  sem_destroy(&semaphore);
  pthread_barrier_destroy(&barrier);
  return arg;
}

static void *Use(void *arg) {
  if (Is("mutex") && pthread_mutex_lock(&mutex) == 0) pthread_mutex_unlock(&mutex);  // @mutex
  if (Is("twice")) pthread_mutex_destroy(&mutex);
  if (Is("condition")) pthread_cond_broadcast(&condition);       // @condition
  if (Is("rwlock") && pthread_rwlock_tryrdlock(&rwlock) == 0) {  // @rwlock
    pthread_rwlock_unlock(&rwlock);
  }
  if (Is("semaphore")) sem_post(&semaphore);          // @semaphore
  if (Is("barrier")) pthread_barrier_wait(&barrier);  // @barrier
  return arg;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  what = argv[1];
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, 0, 1);
  RunThreads(2, (Body[]){Destroy, Use});
}
