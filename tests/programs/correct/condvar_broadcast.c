// One broadcast wakes every waiter, however many have come to wait before it.
// heddle: check
// expect: verdict=clean complete=true
// Graphs, by the order of the first sections. The gate is opened first: two orders of the others. Second: who waited
// comes back before or after the last one, 2 * 2. Last: two orders of the waits, and of coming back, 2 * 2. 10.
// traces: 10 enumerated
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open, through;

static void *Open(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  is_open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Pass(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!is_open) pthread_cond_wait(&opened, &mutex);
  through++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunThreads(3, (Body[]){Pass, Pass, Open});
  assert(through == 2);
}
