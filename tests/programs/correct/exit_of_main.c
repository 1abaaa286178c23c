// main leaves by pthread_exit: the others run on, and the process ends with status 0 when the
// last one ends.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: two orders of the mutex. Whether a thread has ended when it is detached makes no difference.
// traces: 2
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ended;

static void *Last(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  ended++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&threads[i], 0, Last, 0);
    pthread_detach(threads[i]);
  }
  pthread_exit(0);
}
