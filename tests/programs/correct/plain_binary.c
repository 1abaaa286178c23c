// A binary built by the ordinary compiler: its synchronisation is explored, and heddle says what
// it cannot see.
// build: plain
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *Add(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunSame(3, Add);
  assert(x == 3);
}
