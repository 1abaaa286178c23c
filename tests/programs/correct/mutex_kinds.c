// Recursive and error-checking mutexes: what each answers to its owner and to others, in every
// interleaving.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// As many as plain enumeration has graphs:
// traces: 80 enumerated
#define _GNU_SOURCE
#include <errno.h>

#include "run_threads.h"

static pthread_mutex_t recursive, checking;
static int x, y;

static void Init(pthread_mutex_t *mutex, int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_settype(&attributes, kind) == 0);
  assert(pthread_mutex_init(mutex, &attributes) == 0);
  pthread_mutexattr_destroy(&attributes);
}

static void *UseBoth(void *arg) {
  (void)arg;
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  x++;
  assert(pthread_mutex_unlock(&recursive) == 0);
  x++;
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);

  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  y++;
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  return 0;
}

int main() {
  Init(&recursive, PTHREAD_MUTEX_RECURSIVE);
  Init(&checking, PTHREAD_MUTEX_ERRORCHECK);
  RunSame(2, UseBoth);
  assert(x == 4 && y == 2);
  assert(pthread_mutex_destroy(&recursive) == 0 && pthread_mutex_destroy(&checking) == 0);
}
