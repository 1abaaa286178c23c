// A mutex is destroyed while another thread may hold it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy
// Traces: the destruction, which comes after the lock, before the unlock, which T1 makes all the same, or after it: 2.
// Graphs: before the unlock, the misuse ends the program before T1 makes it, or after that: 3.
// traces: 2 --keep-going
// graphs: 3 --keep-going
#include <semaphore.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken;

static void *Hold(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  sem_post(&taken);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, Hold, 0);
  sem_wait(&taken);
  pthread_mutex_destroy(&mutex);  // @destroy
  pthread_join(thread, 0);
}
