// Main polls for what another thread sets under the lock, and has the lock whenever it looks. Where it waits for that thread
// it must not have the lock: it was made to wait before the unlock, and that was told as a livelock. The same with a
// read-write lock.
// heddle: check
// expect: incomplete=polls-under-lock bugs=0
// heddle: check --reduction source
// expect: incomplete=polls-under-lock bugs=0
// heddle: check --reduction none
// expect: verdict=clean complete=true
// opt: -O0 -O2
// No number of graphs is stated: there is one for every number of rounds that main makes
// (docs/algorithms/dpor_rules.md says which are left out).
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int set, set_too;

static void *Set(void *arg) {
  pthread_mutex_lock(&mutex);
  set = 1;
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  set_too = 1;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Set, NULL);
  pthread_mutex_lock(&mutex);
  while (!set) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  while (!set_too) {
    pthread_rwlock_unlock(&lock);
    sched_yield();
    pthread_rwlock_wrlock(&lock);
  }
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
