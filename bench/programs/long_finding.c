// A bug at the end of 10,000 steps: locks and unlocks of two threads, one after the other.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *Run(void *arg) {
  for (int i = 0; i < 2500; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Run, NULL);
  pthread_join(thread, NULL);
  Run(NULL);
  assert(count < 5000);
}
