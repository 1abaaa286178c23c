// A semaphore, mutex or read-write lock is made anew, or a semaphore is destroyed, beside a thread that comes to wait for it
// after an operation on something else. Nothing orders that operation with the initialisation, so only that it comes to wait tells
// whether it waits by then, which is a misuse.
// heddle: check --keep-going -- semaphore
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises semaphore" message~"waits for it" outcomes=got-it
// heddle: check --keep-going --reduction sleep-sets -- semaphore
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises semaphore" outcomes=got-it
// heddle: check --keep-going --reduction source -- semaphore
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises semaphore" outcomes=got-it
// heddle: check --keep-going -- destroy
// expect: verdict=bug complete=true bugs=2 kinds=misuse
// heddle: check --keep-going -- mutex
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises mutex" message~"waits for it" outcomes=got-it
// heddle: check --keep-going -- rwlock
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises read-write lock" outcomes=got-it
// heddle: check --keep-going -- timed
// expect: verdict=bug complete=true bugs=1 kind=misuse message~"initialises semaphore"
// traces: 2 enumerated --keep-going -- semaphore
// traces: 2 enumerated --keep-going -- destroy
// traces: 4 enumerated --keep-going -- mutex
// traces: 4 enumerated --keep-going -- rwlock
// traces: 4 enumerated --keep-going -- timed
// Graphs: the semaphore is made or destroyed while T2 waits, or T2 comes later: 2. With a time limit T2's time may be up before, or
// after: 2 more. The locks: T2 has come, taken it and given it back before T1 takes it, or comes only when T1 has made it anew; or it comes before T1
// has taken it or after that, and waits when it is made anew: 4.
#include <heddle.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static const char *kind;
static atomic_int other;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static int Is(const char *name) { return strcmp(kind, name) == 0; }

static void *Make(void *arg) {
  if (Is("mutex")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, 0);
  } else if (Is("rwlock")) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_init(&rwlock, 0);
  } else if (Is("destroy")) {
    sem_destroy(&semaphore);
  } else {
    sem_init(&semaphore, 0, 1);
  }
  return arg;
}

static void *Come(void *arg) {
  (void)atomic_load(&other);
  if (Is("mutex")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    heddle_outcome("got-it");
  } else if (Is("rwlock")) {
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    heddle_outcome("got-it");
  } else if (Is("timed")) {
    const struct timespec limit = {.tv_sec = 4000000000};
    sem_timedwait(&semaphore, &limit);
  } else {
    sem_wait(&semaphore);
    heddle_outcome("got-it");
  }
  return arg;
}

int main(int argc, char **argv) {
  kind = argc > 1 ? argv[1] : "semaphore";
  sem_init(&semaphore, 0, 0);
  RunThreads(2, (Body[]){Make, Come});
}
