// main holds the lock that the thread needs, and joins it.
// heddle: check
// expect: verdict=bug kind=deadlock location=@join
// Graphs: who locks first, 2.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, Lock, 0);
  pthread_mutex_lock(&mutex);
  pthread_join(thread, 0);  // @join
  pthread_mutex_unlock(&mutex);
}
