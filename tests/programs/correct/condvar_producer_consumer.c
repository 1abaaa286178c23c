// N items through one slot, with two condition variables: at each turn after the first, the other
// thread comes in time or has to wait, so there are 2^(2N - 1) traces.
// heddle: check --order depth-first -- 2
// expect: verdict=clean complete=true executions=8 happens_before=8 by_preemptions=2,6,8
// traces: 2 enumerated -- 1
// traces: 8 enumerated -- 2
// traces: 128 enumerated -- 4
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int items, slot, full;

static void *Produce(void *arg) {
  (void)arg;
  for (int i = 0; i < items; i++) {
    pthread_mutex_lock(&mutex);
    while (full) pthread_cond_wait(&emptied, &mutex);
    slot = i;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *Consume(void *arg) {
  (void)arg;
  for (int i = 0; i < items; i++) {
    pthread_mutex_lock(&mutex);
    while (!full) pthread_cond_wait(&filled, &mutex);
    assert(slot == i);
    full = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  items = atoi(argv[1]);
  RunThreads(2, (Body[]){Produce, Consume});
}
