// A weak pair that is met in an execution which ends because more operations become visible is told all the same: it
// comes in one order only, since a lock attempt that fails orders nothing.
// heddle: check
// expect: verdict=clean complete=true weak_pair~store,load weak_pairs=1
// Graphs: the lock attempt before or after the lock, and the attempt to join before or after the end of the thread, 4.
// traces: 4 enumerated
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *Store(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);  // @store
  pthread_mutex_lock(&mutex);
  return arg;
}

static void *Load(void *arg) {
  if (pthread_mutex_trylock(&mutex) == 0)
    pthread_mutex_unlock(&mutex);
  else
    atomic_load_explicit(&x, memory_order_relaxed);  // @load
  return arg;
}

static void *Nothing(void *arg) { return arg; }

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, Store, NULL);
  pthread_create(&threads[1], NULL, Load, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  pthread_create(&threads[2], NULL, Nothing, NULL);
  if (pthread_tryjoin_np(threads[2], NULL) != 0) pthread_join(threads[2], NULL);
}
