// A signal with two waiters may wake either: both choices are explored.
// heddle: check
// expect: verdict=clean complete=true outcomes=first=0,first=1
// Graphs: traces.py derives 16.
// traces: 16
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, first = -1;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_signal(&ready);
  while (!tokens) pthread_cond_wait(&turn, &mutex);
  tokens--;
  if (first < 0) {
    first = (int)(long)arg;
    tokens++;
    pthread_cond_signal(&turn);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Signal(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (waiting < 2) pthread_cond_wait(&ready, &mutex);
  tokens = 1;
  pthread_cond_signal(&turn);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunThreads(3, (Body[]){Wait, Wait, Signal});
  heddle_outcome("first=%d", first);
}
