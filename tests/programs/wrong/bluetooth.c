// The Bluetooth driver of PLDI'07: a worker does I/O while the driver is being stopped. The
// worker looks at `stopping` before it counts itself in; a stop in between completes, and the
// worker goes on with a stopped driver. Exactly one preemption; none is not enough.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@stopped
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1 location=@stopped
// expect: guarantee~"any other bug needs at least 1 preemption"
// heddle: check --bound preemptions=0
// expect: verdict=clean completed_bound=0 guarantee~"any bug left needs at least 1 preemption"
// Graphs: traces.py derives 8.
// traces: 8 enumerated --keep-going
#include <stdatomic.h>
#include <stdbool.h>

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
  (void)arg;
  if (stopping) return 0;
  atomic_fetch_add(&pending_io, 1);
  assert(!stopped);  // @stopped
  Decrement();
  return 0;
}

static void *Stopper(void *arg) {
  (void)arg;
  stopping = true;
  Decrement();
  pthread_mutex_lock(&event_mutex);
  while (!event_set) pthread_cond_wait(&event, &event_mutex);
  pthread_mutex_unlock(&event_mutex);
  stopped = true;
  return 0;
}

int main() { RunThreads(2, (Body[]){Worker, Stopper}); }
