// A thread locks its own plain mutex a second time.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 location=@again
// expect: message~"self-deadlock: T1 waits at deadlock_self.c:15 for mutex, which it holds itself"
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);  // @again
  return 0;
}

int main() { RunSame(1, Lock); }
