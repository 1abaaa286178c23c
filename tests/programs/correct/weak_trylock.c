// An attempt to lock that fails may come earlier in the order of the mutex, where it succeeds, and then it acquires.
// Graphs: the third thread's attempt comes before the first one's unlock, which waits for its post. It fails while the first one
// has the mutex; the second one had it before, or has it afterwards (2). Or it fails while the second one has it, and the first one
// has it last (1). Or it succeeds: after the second one, and must read 1 (1); or before it, and reads 0 or 1, while the first one
// has the mutex before the second one or after it (4). Together 8.
// heddle: check --memory-model c11
// expect: verdict=clean executions=8 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=8 complete=true
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=8 complete=true
#include <semaphore.h>
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static atomic_int x;

static void* Hold(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_wait(&semaphore);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* Store(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* Try(void* unused) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    atomic_load_explicit(&x, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
  }
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  const Body bodies[] = {Hold, Store, Try};
  sem_init(&semaphore, 0, 0);
  RunThreads(3, bodies);
}
