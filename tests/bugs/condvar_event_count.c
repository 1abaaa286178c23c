// An event count: a waiter reads the epoch, looks at its condition, and sleeps if the epoch is still the same; who changes the condition
// increments the epoch if there are waiters. The waiter announces itself after it has looked at its condition: too late.
// Interleaving: the consumer finds the queue empty; the producer puts an item, sees no waiter, and wakes nobody; the consumer announces
// itself, reads the epoch, and sleeps. The last item is the one that is lost: earlier ones are made good by the next.
// Right: announce, read the epoch, then look at the condition again.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kItems = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t advanced = PTHREAD_COND_INITIALIZER;
static atomic_int epoch, waiters, items;

static void Notify(void) {
  if (waiters == 0) return;
  pthread_mutex_lock(&mutex);
  epoch++;
  pthread_cond_broadcast(&advanced);
  pthread_mutex_unlock(&mutex);
}

static void Wait(int key) {
  pthread_mutex_lock(&mutex);
  while (epoch == key) pthread_cond_wait(&advanced, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void *Produce(void *arg) {
  for (int i = 0; i < kItems; i++) {
    atomic_fetch_add(&items, 1);
    Notify();
  }
  return arg;
}

static int TryTake(void) {
  int n = items;
  while (n > 0)
    if (atomic_compare_exchange_strong(&items, &n, n - 1)) return 1;
  return 0;
}

static void *Consume(void *arg) {
  for (int taken = 0; taken < kItems / 2;) {
    if (TryTake()) {
      taken++;
      continue;
    }
    atomic_fetch_add(&waiters, 1);
    int key = epoch;
#ifdef FIXED
    if (TryTake())
      taken++;
    else
#endif
      Wait(key);
    atomic_fetch_sub(&waiters, 1);
  }
  return arg;
}

int main() { RunThreads(3, (Body[]){Produce, Consume, Consume}); }
