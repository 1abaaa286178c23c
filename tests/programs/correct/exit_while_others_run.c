// main returns while a detached thread is in the middle of something: the process ends, and that
// is no deadlock.
// heddle: check --order depth-first
// expect: verdict=clean complete=true
// Graphs: main waits for the post, and the thread then waits for ever, 1.
// traces: 1 
#include <semaphore.h>

#include "run_threads.h"

static sem_t never, started;

static void *Wait(void *arg) {
  (void)arg;
  sem_post(&started);
  sem_wait(&never);
  return 0;
}

int main() {
  sem_init(&never, 0, 0);
  sem_init(&started, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  pthread_detach(thread);
  sem_wait(&started);
  return 0;
}
