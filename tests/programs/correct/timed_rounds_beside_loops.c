// A thread holds a lock while it waits with a time limit, and gives it back for a moment in each round. That its next round would change
// nothing for itself is no reason to tell that others, who wait for that lock, are in a livelock or a hang: they may go round in loops.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// One blocks, and another one goes round in a loop that takes locks:
// heddle: check --executions 300 -- polls
// expect: bugs=0
// One that counts while it tries to get the lock:
// heddle: check --executions 20 --idle-rounds 4 -- counts
// expect: bugs=0
#include <stdatomic.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static atomic_int stop;
static long tries;

static void *Block(void *arg) {
  pthread_mutex_lock(&held);
  stop = 1;
  pthread_mutex_unlock(&held);
  return arg;
}

static void *Poll(void *arg) {
  while (!stop)
    if (pthread_mutex_trylock(&other) == 0) pthread_mutex_unlock(&other);
  return arg;
}

static void *Count(void *arg) {
  while (pthread_mutex_trylock(&held) != 0) ++tries;
  stop = 1;
  pthread_mutex_unlock(&held);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc > 1);
  const int polls = argv[1][0] == 'p';
  pthread_t thread, second;
  pthread_mutex_lock(&held);
  pthread_create(&thread, NULL, polls ? Block : Count, NULL);
  if (polls) pthread_create(&second, NULL, Poll, NULL);
  pthread_mutex_lock(&mutex);
  while (!stop) {
    pthread_cond_timedwait(&changed, &mutex, &until);
    pthread_mutex_unlock(&held);
    pthread_mutex_lock(&held);
  }
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&held);
  pthread_join(thread, NULL);
  if (polls) pthread_join(second, NULL);
}
