// A mutex is made anew by the thread that holds it, while another thread is in a condition wait with that mutex. Whether that
// thread was signalled by then makes no difference, because the signal is not ordered with the initialisation.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse,deadlock kind=misuse message~"initialises mutex" message~"waits for it"
// heddle: check --keep-going --reduction none
// expect: verdict=bug complete=true kinds=misuse,deadlock kind=misuse message~"initialises mutex" message~"waits for it"
// Executions and graphs: traces.py derives them.
// traces: 7 --keep-going
// graphs: 10 --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Signal(void *arg) {
  pthread_cond_signal(&condition);
  return arg;
}

static void *Make(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_init(&mutex, 0);
  return arg;
}

int main(void) { RunThreads(3, (Body[]){Wait, Signal, Make}); }
