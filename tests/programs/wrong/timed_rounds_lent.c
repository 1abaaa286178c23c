// A thread holds a lock while it waits with a time limit in a loop, and gives it back for a moment in each round. Another one that gets
// it then has noticed that round, also if it comes from a loop with time limits itself, which it has left in the middle of a round.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// It finds the lock free, taken, free, taken and free:
// heddle: check
// expect: verdict=bug kind=assertion location=@bug
// heddle: check --reduction optimal
// expect: verdict=bug kind=assertion location=@bug
// heddle: check --reduction source
// expect: verdict=bug kind=assertion location=@bug
#include <errno.h>
#include <heddle.h>
#include <stdatomic.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t lent = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER, neither = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static atomic_int go, stop;

static int IsTaken(pthread_mutex_t *lock) {
  if (pthread_mutex_trylock(lock) == EBUSY) return 1;
  pthread_mutex_unlock(lock);
  return 0;
}

static void *Look(void *arg) {
  pthread_mutex_lock(&other_mutex);
  while (!go) pthread_cond_timedwait(&neither, &other_mutex, &until);
  pthread_mutex_unlock(&other_mutex);
  for (int i = 0; i < 5; ++i) heddle_assume(IsTaken(&lent) == i % 2);
  assert(0);  // @bug
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lent);
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, Look, NULL);
  // The other thread goes round its loop.
  for (int i = 0; i < 6; ++i) heddle_assume(IsTaken(&other_mutex) != i % 2);
  go = 1;
  while (!stop) {
    pthread_cond_timedwait(&never, &mutex, &until);
    pthread_mutex_unlock(&lent);
    pthread_mutex_lock(&lent);
  }
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&lent);
  pthread_join(thread, NULL);
}
