// A thread holds a lock while it waits with a time limit, and gives it back for a moment in each round. Who waits for that lock may get it
// then: no livelock.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// heddle: check -- blocks
// expect: bugs=0 executions=4
// heddle: check --reduction none -- blocks
// expect: verdict=clean complete=true
// heddle: check --timeouts last -- blocks
// expect: bugs=0
// heddle: check --reduction source -- reads
// expect: bugs=0 executions=4
// heddle: check -- tries
// expect: bugs=0
// One that waits at the end of the round for a lock is let in, too.
// heddle: check -- late
// expect: bugs=0
#include <errno.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER, last = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static atomic_int stop;
static char kind;

static void *Other(void *arg) {
  if (kind == 't')
    while (pthread_mutex_trylock(&held) != 0) usleep(100);
  else if (kind == 'r')
    pthread_rwlock_rdlock(&shared);
  else
    pthread_mutex_lock(kind == 'l' ? &last : &held);
  stop = 1;
  if (kind == 'r')
    pthread_rwlock_unlock(&shared);
  else
    pthread_mutex_unlock(kind == 'l' ? &last : &held);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc > 1);
  kind = argv[1][0];
  pthread_t thread;
  pthread_create(&thread, NULL, Other, NULL);
  for (int go_on = 1; go_on;) {
    pthread_mutex_lock(&held);
    pthread_mutex_lock(&last);
    pthread_rwlock_wrlock(&shared);
    pthread_mutex_lock(&mutex);
    go_on = !stop;
    if (go_on) pthread_cond_timedwait(&changed, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&held);
    pthread_rwlock_unlock(&shared);
    pthread_mutex_unlock(&last);
  }
  pthread_join(thread, NULL);
}
