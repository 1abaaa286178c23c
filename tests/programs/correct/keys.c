// Thread-specific data: a value per thread, destructors at thread end, and again when a
// destructor sets a value.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: three sections of each thread under one mutex, when its values are destroyed: C(6,3) = 20.
// traces: 20
#include <stdlib.h>

#include "run_threads.h"

static pthread_key_t key, again;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, rounds;

static void Destroy(void *value) {
  pthread_mutex_lock(&mutex);
  destroyed += *(int *)value;
  pthread_mutex_unlock(&mutex);
  free(value);
}

static void DestroyTwice(void *value) {
  if (value == (void *)1) pthread_setspecific(again, (void *)2);
  pthread_mutex_lock(&mutex);
  rounds++;
  pthread_mutex_unlock(&mutex);
}

static void *Use(void *arg) {
  assert(pthread_getspecific(key) == 0);
  int *mine = malloc(sizeof *mine);
  *mine = 1 + (int)(long)arg;
  pthread_setspecific(key, mine);
  pthread_setspecific(again, (void *)1);
  assert(pthread_getspecific(key) == mine);
  return 0;
}

int main() {
  assert(pthread_key_create(&key, Destroy) == 0 && pthread_key_create(&again, DestroyTwice) == 0);
  RunSame(2, Use);
  assert(destroyed == 3 && rounds == 4);
  assert(pthread_getspecific(key) == 0);
  assert(pthread_key_delete(key) == 0);
}
