// A thread waits with a time limit in a loop that changes nothing for itself. But another thread may notice its rounds, and then they
// are not left out, however often.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// It shows in plain memory, under the lock, whether it waits. Twice it does, twice it does not, in turn:
// heddle: check -- shows
// expect: verdict=bug kind=assertion location=@shows
// heddle: check --reduction optimal -- shows
// expect: verdict=bug kind=assertion location=@shows
// heddle: check --reduction none -- shows
// expect: verdict=bug kind=assertion location=@shows
// The same on its own stack:
// heddle: check --reduction optimal -- own
// expect: verdict=bug kind=assertion location=@shows
// The lock is found taken three times:
// heddle: check --reduction optimal -- holds
// expect: verdict=bug kind=assertion location=@holds
// heddle: check -- holds
// expect: verdict=bug kind=assertion location=@holds
// A signal that comes while it is in a round is lost:
// heddle: check --reduction optimal -- signal
// expect: verdict=bug kind=assertion location=@signal
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static atomic_int stop;
static int in_data, shown = -1, woken;
static int *waits;
static char kind;

static void *Poll(void *arg) {
  int on_stack = 0;
  pthread_mutex_lock(&mutex);
  waits = kind == 'o' ? &on_stack : &in_data;
  pthread_mutex_unlock(&mutex);
  while (!stop) {
    pthread_mutex_lock(&mutex);
    *waits = 1;
    if (pthread_cond_timedwait(&changed, &mutex, &until) == 0) woken = 1;
    *waits = 0;
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  waits = &shown;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static int Look(void) {
  pthread_mutex_lock(&mutex);
  const int now = waits == NULL ? -1 : *waits;
  pthread_mutex_unlock(&mutex);
  return now;
}

static int IsTaken(void) {
  if (pthread_mutex_trylock(&mutex) == EBUSY) return 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc > 1);
  kind = argv[1][0];
  pthread_t thread;
  pthread_create(&thread, NULL, Poll, NULL);
  if (kind == 's' && argv[1][1] == 'h' || kind == 'o') {
    const int first = Look(), second = Look(), third = Look(), fourth = Look();
    assert(!(first == 1 && second == 0 && third == 1 && fourth == 0));  // @shows
  } else if (kind == 'h') {
    const int first = IsTaken(), free_then = !IsTaken(), second = IsTaken(), free_again = !IsTaken(), third = IsTaken();
    assert(!(first && free_then && second && free_again && third));  // @holds
  } else {
    // Each time after it was seen to wait.
    const int first = Look();
    pthread_cond_signal(&changed);
    const int second = Look();
    pthread_cond_signal(&changed);
    stop = 1;
    pthread_join(thread, NULL);
    assert(!(first == 1 && second == 1 && !woken));  // @signal
    return 0;
  }
  stop = 1;
  pthread_join(thread, NULL);
  return 0;
}
