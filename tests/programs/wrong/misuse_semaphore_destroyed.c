// A semaphore is destroyed while a thread may still wait for it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy message~"while T1 waits for it"
// The thread waits already, or comes when the semaphore is destroyed: 2.
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
