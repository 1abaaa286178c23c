// A race that shows only on the second way to one state of the program. If T1 has the lock first, T2 learns of `data` by it. If T2
// has it first, it does not, and reads after the relaxed `done`: the program's memory is the same, what T2 knows is not.
// compilers: gcc clang
// heddle: check --visited states
// expect: verdict=bug kind=data-race
// heddle: check --preset zing
// expect: verdict=bug kind=data-race
// heddle: check --visited states --no-races
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static atomic_int done;

static void Meet(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void *Write(void *arg) {
  data = 1;
  Meet();
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return arg;
}

static void *Read(void *arg) {
  Meet();
  if (atomic_load_explicit(&done, memory_order_relaxed) && data != 1) return arg;
  return 0;
}

int main(void) { RunThreads(2, (Body[]){Write, Read}); }
