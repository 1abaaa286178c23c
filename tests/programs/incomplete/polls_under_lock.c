// A loop that looks under a lock waits until any other thread does something.
// heddle: check --reduction optimal
// expect: incomplete=polls-under-lock
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void* Set(void* arg) {
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = flag;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, 0);
}
