// Polling under a semaphore that is used as a lock: one round after the other, as long as the thread that sets what is
// polled for is kept out.
// heddle: check --order depth-first
// expect: verdict=clean complete=true bugs=0
// heddle: check --order depth-first --reduction optimal
// expect: incomplete=joint-loops bugs=0
// every search: none
#include <semaphore.h>

#include "run_threads.h"

static sem_t lock;
static int set;

static void *Poll(void *arg) {
  for (;;) {
    sem_wait(&lock);
    int seen = set;
    sem_post(&lock);
    if (seen) return arg;
  }
}

static void *Set(void *arg) {
  sem_wait(&lock);
  set = 1;
  sem_post(&lock);
  return arg;
}

int main() {
  sem_init(&lock, 0, 1);
  RunThreads(2, (Body[]){Poll, Set});
  sem_destroy(&lock);
}
