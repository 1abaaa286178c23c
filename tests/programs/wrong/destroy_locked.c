// A mutex is destroyed while another thread may hold it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy
// Graphs: the destruction, which comes after the lock, before or after the unlock: 2.
// graphs: 2 --keep-going
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
