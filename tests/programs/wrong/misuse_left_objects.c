// Objects that an _init function made, and that are still there when the program ends: a warning
// for each place where one was made, a bug with --strict. Those lost with their memory count, too.
// heddle: check
// expect: verdict=clean complete=true warnings=6
// expect: warning~"the mutex initialised at misuse_left_objects.c:" warning~"the condition variable initialised at"
// expect: warning~"the read-write lock initialised at" warning~"the semaphore initialised at"
// expect: warning~"the barrier initialised at"
// heddle: check --rewind fork
// expect: verdict=clean complete=true warnings=6
// heddle: check --strict
// expect: verdict=bug bugs=1 kind=misuse location=@first
// expect: message~"not destroyed when the program ends: the mutex initialised at misuse_left_objects.c:"
// heddle: check --strict --keep-going
// expect: verdict=bug bugs=1 kind=misuse location=@first
// heddle: check --strict -- tidy
// expect: verdict=clean complete=true warnings=0
// heddle: check -- fails
// expect: verdict=bug kind=exit-status warnings=0
// Graphs: who takes the first mutex first, 2.
// traces: 2 enumerated
// traces: 2 enumerated --strict -- tidy
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t by_initialiser = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex, again;
static pthread_cond_t condition;
static pthread_rwlock_t rwlock;
static sem_t semaphore;
static pthread_barrier_t barrier;

static void *Work(void *arg) {
  pthread_mutex_lock(&by_initialiser);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&by_initialiser);
  return arg;
}

static void Lose(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_t *lost = malloc(sizeof *lost);
    pthread_mutex_init(lost, 0);
    free(lost);
  }
}

int main(int argc, char **argv) {
  int tidy = argc == 2 && strcmp(argv[1], "tidy") == 0;
  pthread_mutex_init(&mutex, 0);  // @first
  pthread_cond_init(&condition, 0);
  pthread_rwlock_init(&rwlock, 0);
  sem_init(&semaphore, 0, 1);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_mutex_init(&again, 0);
  pthread_mutex_destroy(&again);
  if (!tidy) Lose();
  RunSame(2, Work);
  if (!tidy) return argc - 1;
  pthread_mutex_destroy(&mutex);
  pthread_cond_destroy(&condition);
  pthread_rwlock_destroy(&rwlock);
  sem_destroy(&semaphore);
  pthread_barrier_destroy(&barrier);
}
