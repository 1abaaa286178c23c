// A thread looks at x until it is set, and sleeps in between: after two looks in vain it waits. Another one gives way, and then
// looks at x, too. So main's store comes after 0, 1 or 2 looks of the first one, and before or after the look of the other: 6 traces.
//
// In the search a sequence that ends with a third look before the store turns out to have no execution, because the thread waits there. It
// stood for another sequence, that of the other thread's look before the store.
// compilers: gcc clang
// opt: -O1 -O2
// graphs: 6 -- sleep
// heddle: check --reduction optimal -- sleep
// expect: verdict=clean complete=true outcomes=0,1 executions=6
// graphs: 6 -- condition
// heddle: check --reduction optimal -- condition
// expect: verdict=clean complete=true outcomes=0,1 executions=6
// graphs: 6 -- lock
// heddle: check --reduction optimal -- lock
// expect: verdict=clean complete=true outcomes=0,1 executions=6
// heddle: check --reduction source -- sleep
// expect: verdict=clean complete=true outcomes=0,1 executions=6
// heddle: check -- sleep
// expect: verdict=clean complete=true outcomes=0,1 executions=6
#include <heddle.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static const struct timespec until = {1, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int x;
static int found;
static char how;

static void *Wait(void *arg) {
  while (!atomic_load(&x)) usleep(1000);
  return arg;
}

static void *Look(void *arg) {
  if (how == 's') usleep(1);
  if (how == 'c') {
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&never, &mutex, &until);
  }
  if (how == 'l') pthread_mutex_timedlock(&mutex, &until);
  found = atomic_load(&x);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc > 1);
  how = argv[1][0];
  if (how == 'l') pthread_mutex_lock(&mutex);
  pthread_t waits, looks;
  pthread_create(&waits, NULL, Wait, NULL);
  pthread_create(&looks, NULL, Look, NULL);
  atomic_store(&x, 1);
  pthread_join(waits, NULL);
  pthread_join(looks, NULL);
  heddle_outcome("%d", found);
}
