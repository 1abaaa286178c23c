// A semaphore is destroyed while a thread may still wait for it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy message~"while T1 waits for it"
// Traces: the thread waits already, and main ends the program, or it comes when the semaphore is destroyed, and ends it: 2.
// The other can do nothing beside that.
// traces: 2 enumerated --keep-going
#include <semaphore.h>

#include "run_threads.h"

static sem_t semaphore;

static void *Wait(void *arg) {
  sem_wait(&semaphore);
  return arg;
}

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  sched_yield();
  sem_destroy(&semaphore);  // @destroy
  pthread_join(thread, 0);
}
