// Statistics that are updated under a timed lock, or, if that takes too long, into an overflow counter that is added up later. The one who adds up
// takes the overflow with the lock, but the fallback is an atomic load and store.
// Interleaving: two time limits pass while the collector holds the lock for long, and one overflow is lost.
// bug: preemptions=0 timeouts=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "run_threads.h"

enum { kEach = 2 };

static sem_t lock;
static int total;
static atomic_int overflow;

static void *Count(void *arg) {
  for (int i = 0; i < kEach; i++) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 1000000;
    if (limit.tv_nsec >= 1000000000) limit.tv_sec++, limit.tv_nsec -= 1000000000;
    if (sem_timedwait(&lock, &limit) == 0) {
      total++;
      sem_post(&lock);
    } else {
#ifdef FIXED
      overflow++;
#else
      int old = overflow;
      overflow = old + 1;
#endif
    }
  }
  return arg;
}

static void *Collect(void *arg) {
  sem_wait(&lock);
  total += atomic_exchange(&overflow, 0);
  sem_post(&lock);
  return arg;
}

int main() {
  sem_init(&lock, 0, 1);
  RunThreads(3, (Body[]){Count, Collect, Count});
  assert(total + overflow == 2 * kEach);
  sem_destroy(&lock);
}
