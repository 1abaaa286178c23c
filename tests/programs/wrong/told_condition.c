// A signal that comes before the wait is lost: the report says that nobody waited, and which mutex the
// wait gives up.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=deadlock step="waits on condition variable queue.not_empty, gives up mutex queue.mutex"
// expect: step="signals condition variable queue.not_empty: nobody waits"
#include <pthread.h>

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t not_empty;
  int count;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void *Put(void *arg) {
  pthread_mutex_lock(&queue.mutex);
  pthread_cond_signal(&queue.not_empty);
  pthread_mutex_unlock(&queue.mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Put, NULL);
  pthread_mutex_lock(&queue.mutex);
  pthread_cond_wait(&queue.not_empty, &queue.mutex);  // without a condition
  pthread_mutex_unlock(&queue.mutex);
  pthread_join(thread, NULL);
}
