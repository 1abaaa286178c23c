// Main joins a thread and tells another one by a mutex: that one knows what the thread did that has ended.
// heddle: check --memory-model c11 --reduction none
// expect: verdict=clean complete=true
// heddle: check --memory-model tso --reduction none
// expect: verdict=clean complete=true
// heddle: check --memory-model c11
// expect: verdict=clean complete=true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int joined;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Store(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* Load(void* unused) {
  pthread_mutex_lock(&mutex);
  const int known = joined;
  pthread_mutex_unlock(&mutex);
  if (known) assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  pthread_t stores, loads;
  pthread_create(&stores, 0, Store, 0);
  pthread_create(&loads, 0, Load, 0);
  pthread_join(stores, 0);
  pthread_mutex_lock(&mutex);
  joined = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(loads, 0);
  return 0;
}
