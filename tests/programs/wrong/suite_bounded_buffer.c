// "bounded buffer": one condition for "not full" and "not empty", woken by signal: with two
// producers and two consumers the signal may go to the wrong kind, and everybody waits.
// heddle: check --time 60s
// expect: verdict=bug kind=deadlock preemptions=0
// Graphs: traces.py derives 80.
// traces: 80 --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void *Produce(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (count == 1) pthread_cond_wait(&changed, &mutex);
  count++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Consume(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&changed, &mutex);
  count--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() { RunThreads(4, (Body[]){Produce, Produce, Consume, Consume}); }
