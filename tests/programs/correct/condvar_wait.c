// The textbook condition wait, with `while`: the consumer always gets what the producer made.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --order depth-first
// expect: verdict=clean complete=true
// Graphs: who locks first, 2.
// traces: 2 enumerated
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item, got;

static void *Produce(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  item = 7;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Consume(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!item) pthread_cond_wait(&changed, &mutex);
  got = item;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunThreads(2, (Body[]){Produce, Consume});
  assert(got == 7);
}
