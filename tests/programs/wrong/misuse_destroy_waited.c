// A condition variable is destroyed while a thread may still wait on it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Destroy(void *arg) {
  (void)arg;
  pthread_cond_signal(&changed);
  pthread_cond_destroy(&changed);  // @destroy
  return 0;
}

int main() { RunThreads(3, (Body[]){Wait, Wait, Destroy}); }
