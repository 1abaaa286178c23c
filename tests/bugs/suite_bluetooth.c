// The Bluetooth driver: a request counts itself as I/O that is pending, after it has looked whether the driver is stopping; the stopper sets the
// flag, gives up its own count, and waits for the event that the last one sets.
// Interleaving: a request has seen that the driver is not stopping; the stopper goes through to its end; the request works on a driver that is
// stopped. With a second request that comes and goes, and a third thread that adds devices.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int pending = 1, stopping, stopped, devices;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int drained;

static void Leave(void) {
  if (atomic_fetch_sub(&pending, 1) != 1) return;
  pthread_mutex_lock(&mutex);
  drained = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&mutex);
}

static int Enter(void) {
#ifdef FIXED
  int now = pending;
  do {
    if (now == 0) return 0;
  } while (!atomic_compare_exchange_strong(&pending, &now, now + 1));
  if (stopping) {
    Leave();
    return 0;
  }
#else
  if (stopping) return 0;
  atomic_fetch_add(&pending, 1);
#endif
  return 1;
}

static void *Request(void *arg) {
  for (int i = 0; i < 2; i++) {
    if (!Enter()) continue;
    assert(!stopped);
    Leave();
  }
  return arg;
}

static void *Add(void *arg) {
  for (int i = 0; i < 3; i++) devices++;
  return arg;
}

static void *Stop(void *arg) {
  stopping = 1;
  Leave();
  pthread_mutex_lock(&mutex);
  while (!drained) pthread_cond_wait(&event, &mutex);
  pthread_mutex_unlock(&mutex);
  stopped = 1;
  return arg;
}

int main() { RunThreads(4, (Body[]){Request, Request, Stop, Add}); }
