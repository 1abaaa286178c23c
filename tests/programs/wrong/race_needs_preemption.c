// The racing branch is reached only when a lock is released and taken by the other thread at one
// point. (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race preemptions=1 location=@race
// Graphs: Look's section before or after both others, 2; between them, and the writes that race then in two orders, 2.
// traces: 4 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int stage, data;

static void *Step(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  stage = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  stage = 2;
  pthread_mutex_unlock(&mutex);
  data = 1;
  return 0;
}

static void *Look(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  int now = stage;
  pthread_mutex_unlock(&mutex);
  if (now == 1) data = 2;  // @race
  return 0;
}

int main() { RunThreads(2, (Body[]){Step, Look}); }
