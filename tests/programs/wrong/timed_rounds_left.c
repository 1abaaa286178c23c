// A thread shows in memory, under a lock, whether it waits with a time limit, in a loop. Another one that has left such a loop itself, in
// the middle of a round, sees it wait, not wait, and so on, three times: what it sees is not nothing, as its rounds were.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// It looks in code that was not rebuilt:
// heddle: check --reduction optimal -- library
// expect: verdict=bug kind=assertion location=@bug
// By an atomic operation on memory that is written by plain ones:
// heddle: check --reduction optimal -- atomically
// expect: verdict=bug kind=assertion location=@bug
// The other way round:
// heddle: check --reduction optimal -- plainly
// expect: verdict=bug kind=assertion location=@bug
#include <errno.h>
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER, neither = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static atomic_int go, stop;
static char text[] = "0";
static int waits;
static char kind;

static int IsTaken(pthread_mutex_t *lock) {
  if (pthread_mutex_trylock(lock) == EBUSY) return 1;
  pthread_mutex_unlock(lock);
  return 0;
}

static void Show(int now) {
  if (kind == 'l')
    text[0] = (char)('0' + now);
  else if (kind == 'a')
    waits = now;
  else
    __atomic_store_n(&waits, now, __ATOMIC_RELAXED);
}

static int Look(void) {
  pthread_mutex_lock(&mutex);
  const int now = kind == 'l' ? atoi(text) : kind == 'a' ? __atomic_load_n(&waits, __ATOMIC_RELAXED) : waits;
  pthread_mutex_unlock(&mutex);
  return now;
}

static void *LookOften(void *arg) {
  pthread_mutex_lock(&other_mutex);
  while (!go) pthread_cond_timedwait(&neither, &other_mutex, &until);
  pthread_mutex_unlock(&other_mutex);
  for (int i = 0; i < 6; ++i) heddle_assume(Look() != i % 2);
  assert(0);  // @bug
  return arg;
}

int main(int argc, char **argv) {
  assert(argc > 1);
  kind = argv[1][0];
  pthread_t thread;
  pthread_create(&thread, NULL, LookOften, NULL);
  // The other thread goes round its loop.
  for (int i = 0; i < 6; ++i) heddle_assume(IsTaken(&other_mutex) != i % 2);
  go = 1;
  while (!stop) {
    pthread_mutex_lock(&mutex);
    Show(1);
    pthread_cond_timedwait(&never, &mutex, &until);
    Show(0);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
}
