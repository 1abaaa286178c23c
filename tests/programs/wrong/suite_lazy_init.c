// "lazy init": a second look under the lock is missing, so the object is made twice.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
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
