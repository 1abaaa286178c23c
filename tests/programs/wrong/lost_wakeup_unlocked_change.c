// The condition changes without the lock, between the waiter's look at it and its wait. The
// signal is lost.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@wait
// expect: message~"lost wake-up: T1 waits at lost_wakeup_unlocked_change.c:"
// expect: message~"for condition variable changed: T2 signalled it at lost_wakeup_unlocked_change.c:"
// expect: message~", when T1 had locked mutex but did not wait yet"
// Graphs: the look after the change, 1; before it, and the wait before or after the signal, 2. 3.
// traces: 3 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);  // @wait
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Set(void *arg) {
  (void)arg;
  ready = 1;
  pthread_cond_signal(&changed);
  return 0;
}

int main() { RunThreads(2, (Body[]){Wait, Set}); }
