// "wrong lock": two threads guard the same data with different locks.
// heddle: check
// expect: verdict=bug kind=data-race preemptions=0 location=@a location=@b
// heddle: check --no-races --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: a read and a write of each thread, scheduling points once they have raced: one thread first, 2, or both read
// first and write in two orders, 2. 4.
// traces: 4 enumerated --keep-going
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int value;

static void *Right(void *arg) {
  (void)arg;
  pthread_mutex_lock(&data_lock);
  int before = value;
  heddle_hook();
  value = before + 1;  // @a
  pthread_mutex_unlock(&data_lock);
  return 0;
}

static void *Wrong(void *arg) {
  (void)arg;
  pthread_mutex_lock(&thread_lock);
  value++;  // @b
  pthread_mutex_unlock(&thread_lock);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Right, Wrong});
  assert(value == 2);
}
