// main misses the signal that its item is done; the worker, which then waits for the next item, is no culprit, nor is the signal for
// which it did not wait, as it saw the item before it would have.
// heddle: check --order context-bounded
// expect: verdict=bug kind=deadlock preemptions=1 thread=main location=@flush location=@idle
// expect: message~"lost wake-up: main waits at lost_wakeup_idle_worker.c:"
// expect: message~"for condition variable flushed: T1 signalled it at lost_wakeup_idle_worker.c:"
// expect: message~", when main had locked mutex flush_mutex but did not wait yet; perhaps only because of that, T1 waits at"
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, flush_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER, flushed = PTHREAD_COND_INITIALIZER;
static atomic_int items, pending = 1;

static void *Work(void *arg) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (items == 0) pthread_cond_wait(&queued, &mutex);  // @idle
    items--;
    pthread_mutex_unlock(&mutex);
    pending--;
    pthread_cond_signal(&flushed);
  }
  return arg;
}

int main() {
  pthread_t worker;
  pthread_create(&worker, 0, Work, 0);
  pthread_mutex_lock(&mutex);
  items++;
  pthread_cond_signal(&queued);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&flush_mutex);
  while (pending != 0) pthread_cond_wait(&flushed, &flush_mutex);  // @flush
  pthread_mutex_unlock(&flush_mutex);
}
