// A loop that counts its attempts on a lock that the thread has itself. Each attempt fails at once, also that of the last
// round: that the rounds run out is no time limit that passes. A round is two operations, so it is not proved that nothing depends
// on the counter.
// heddle: check
// expect: verdict=incomplete complete=false bugs=0
// heddle: check --reduction source
// expect: verdict=incomplete complete=false bugs=0
// heddle: check --reduction none
// expect: verdict=incomplete complete=false bugs=0
// No number of graphs is stated: after how many rounds a loop is known to count is heddle's own matter
// (docs/algorithms/spinning.md).
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int flag;

static void *Set(void *arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  struct timespec until;
  pthread_create(&thread, NULL, Set, NULL);
  pthread_rwlock_wrlock(&lock);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1000;
  for (int i = 0; i < 200; ++i) {
    const int status = pthread_rwlock_timedrdlock(&lock, &until);
    assert(status == EDEADLK);
    if (flag) break;
  }
  for (int i = 0; i < 200; ++i) {
    const int status = pthread_rwlock_rdlock(&lock);
    assert(status == EDEADLK);
    if (flag) break;
  }
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
