// A constructor locks a mutex and, for reading, a read-write lock; main unlocks both. The thread's
// tries come before or after: 2 orders with the mutex, then 2 with the other lock in each.
// heddle: check
// expect: verdict=clean complete=true
// traces: 4 enumerated
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

__attribute__((constructor)) static void Before(void) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_rdlock(&lock);
}

static void *Try(void *arg) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    assert(value == 1);
    pthread_mutex_unlock(&mutex);
  }
  if (pthread_rwlock_trywrlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Try, 0);
  value = 1;
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
}
