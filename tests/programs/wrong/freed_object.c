// Every primitive in a block that main frees while T1 may still use it. Beside the use nothing orders the two: the use comes before the
// free, or after it, and is a misuse there. Of two uses one after the other the free comes before, between and after them; that of the
// once control only after its routine has begun, if main finds that it has.
// traces: 3 enumerated --keep-going -- mutex
// traces: 2 enumerated --keep-going -- trylock
// traces: 2 enumerated --keep-going -- condition
// traces: 3 enumerated --keep-going -- rwlock
// traces: 3 enumerated --keep-going -- spin
// traces: 2 enumerated --keep-going -- semaphore
// traces: 2 enumerated --keep-going -- barrier
// traces: 3 enumerated --keep-going -- once
// traces: 2 enumerated --keep-going -- init
// traces: 2 enumerated --keep-going -- destroy
// heddle: check --keep-going -- mutex
// expect: verdict=bug complete=true kinds=use-after-free bugs=1 message~"T1 locks mutex" message~"freed by main at freed_object.c:"
// heddle: check -- trylock
// expect: verdict=bug kind=use-after-free message~"T1 tries to lock mutex"
// heddle: check -- condition
// expect: verdict=bug kind=use-after-free message~"T1 signals condition variable"
// heddle: check --keep-going -- rwlock
// expect: verdict=bug kinds=use-after-free bugs=1 message~"T1 locks for reading"
// heddle: check --keep-going -- spin
// expect: verdict=bug kinds=use-after-free bugs=1 message~"T1 locks spin lock"
// heddle: check -- semaphore
// expect: verdict=bug kind=use-after-free message~"T1 posts semaphore"
// heddle: check -- barrier
// expect: verdict=bug kind=use-after-free message~"T1 arrives at barrier"
// heddle: check -- once
// expect: verdict=bug kind=use-after-free message~"T1 completes once"
// heddle: check -- init
// expect: verdict=bug kind=use-after-free message~"T1 initialises mutex"
// heddle: check -- destroy
// expect: verdict=bug kind=use-after-free message~"T1 destroys mutex"
// Where T1 learns that main has freed the block, no search has to reverse anything but how it learns it: it does so or does not.
// traces: 2 enumerated --keep-going -- semaphore learnt
// heddle: check -- semaphore learnt
// expect: verdict=bug kind=use-after-free message~"T1 posts semaphore"
// traces: 2 enumerated --keep-going -- atomic learnt
// heddle: check -- atomic learnt
// expect: verdict=bug kind=use-after-free message~"T1 updates atomic" message~"freed by main at freed_object.c:"
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

struct Objects {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  sem_t semaphore;
  pthread_barrier_t barrier;
  pthread_once_t once;
  atomic_int atomic;
};

static struct Objects *objects;
static const char *kind;
static int learns;
static atomic_int freed, begun;

static int Is(const char *name) { return strcmp(kind, name) == 0; }
static void Begin(void) { begun = 1; }

static void *Use(void *arg) {
  if (learns && !freed) return arg;
  if (Is("mutex")) {
    pthread_mutex_lock(&objects->mutex);
    pthread_mutex_unlock(&objects->mutex);
  } else if (Is("trylock")) {
    pthread_mutex_trylock(&objects->mutex);
  } else if (Is("condition")) {
    pthread_cond_signal(&objects->condition);
  } else if (Is("rwlock")) {
    pthread_rwlock_rdlock(&objects->rwlock);
    pthread_rwlock_unlock(&objects->rwlock);
  } else if (Is("spin")) {
    pthread_spin_lock(&objects->spin);
    pthread_spin_unlock(&objects->spin);
  } else if (Is("semaphore")) {
    sem_post(&objects->semaphore);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&objects->barrier);
  } else if (Is("once")) {
    pthread_once(&objects->once, Begin);
  } else if (Is("init")) {
    pthread_mutex_init(&objects->mutex, 0);
  } else if (Is("destroy")) {
    pthread_mutex_destroy(&objects->mutex);
  } else {
    atomic_fetch_add(&objects->atomic, 1);
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  kind = argc > 1 ? argv[1] : "mutex";
  learns = argc > 2;
  objects = calloc(1, sizeof *objects);
  pthread_rwlock_init(&objects->rwlock, 0);
  pthread_spin_init(&objects->spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&objects->semaphore, 0, 0);
  pthread_barrier_init(&objects->barrier, 0, 1);
  pthread_create(&thread, 0, Use, 0);
  if (!Is("once") || begun) free(objects);
  if (learns) freed = 1;
  pthread_join(thread, 0);
}
