// "lazy init": a second look under the lock is missing, so the object is made twice.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: one thread looks after the other's store, 2; or both look first, and lock in two orders. 4.
// traces: 4 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int initialised;
static int made;

static void *Get(void *arg) {
  (void)arg;
  if (!initialised) {
    pthread_mutex_lock(&mutex);
    made++;
    initialised = 1;
    assert(made == 1);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main() { RunSame(2, Get); }
