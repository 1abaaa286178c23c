// `if` instead of `while`: of two consumers woken by a broadcast, one finds the item gone.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@item
// Graphs: traces.py derives 30.
// traces: 30 --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *Consume(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&changed, &mutex);
  assert(items > 0);  // @item
  items--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Produce(void *arg) {
  (void)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main() { RunThreads(3, (Body[]){Consume, Consume, Produce}); }
