// Two threads wait for the gate, and it is opened with signal where broadcast was meant.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 location=@wait
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
