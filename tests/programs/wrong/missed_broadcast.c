// Two threads wait for the gate, and it is opened with signal where broadcast was meant.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 location=@wait
// Graphs, by the order of the first sections: Open first, then the others in two orders, 2. One of two passes first,
// waits and is woken; it gets the mutex again before or after the other one passes: 4. Both wait, in two orders, and
// either is woken: 4. 10 in all.
// traces: 10 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *Pass(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (!is_open) pthread_cond_wait(&opened, &mutex);  // @wait
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Open(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  is_open = 1;
  pthread_cond_signal(&opened);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() { RunThreads(3, (Body[]){Pass, Pass, Open}); }
