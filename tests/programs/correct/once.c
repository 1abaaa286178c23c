// pthread_once: the routine runs once, and nobody returns before it is done.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: who comes first, 2.
// traces: 2 enumerated
#include "run_threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls, value;

static void Init() {
  calls++;
  pthread_mutex_lock(&mutex);  // a scheduling point inside: others come to wait
  value = 42;
  pthread_mutex_unlock(&mutex);
}

static void *Use(void *arg) {
  (void)arg;
  assert(pthread_once(&once, Init) == 0);
  assert(value == 42);
  return 0;
}

int main() {
  RunSame(2, Use);
  assert(calls == 1);
}
