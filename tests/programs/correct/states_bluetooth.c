// The Bluetooth driver of PLDI'07 without its error: a worker counts itself in before it looks whether the driver is being
// stopped. Completely explored under zing; the paper reaches all states of its driver with 4 preemptions.
// heddle: check --preset zing
// expect: verdict=clean complete=true guarantee~"every state explored"
// heddle: check --visited states --no-races -- 2
// expect: verdict=clean complete=true
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int pending_io = 1;
static atomic_bool stopping, stopped;
static pthread_mutex_t event_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool event_set;

static void Decrement() {
  if (atomic_fetch_sub(&pending_io, 1) != 1) return;
  pthread_mutex_lock(&event_mutex);
  event_set = true;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&event_mutex);
}

static void *Worker(void *arg) {
  atomic_fetch_add(&pending_io, 1);
  if (!stopping) assert(!stopped);
  Decrement();
  return arg;
}

static void *Stopper(void *arg) {
  stopping = true;
  Decrement();
  pthread_mutex_lock(&event_mutex);
  while (!event_set) pthread_cond_wait(&event, &event_mutex);
  pthread_mutex_unlock(&event_mutex);
  stopped = true;
  return arg;
}

int main(int argc, char **argv) {
  int workers = argc > 1 ? atoi(argv[1]) : 1;
  Body bodies[kMostThreads];
  for (int i = 0; i < workers; i++) bodies[i] = Worker;
  bodies[workers] = Stopper;
  RunThreads(workers + 1, bodies);
}
