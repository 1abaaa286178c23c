// Two threads that poll under a semaphore, used as a lock, for what nobody does.
// heddle: check --order depth-first
// expect: verdict=bug kind=livelock preemptions=0 location=@poll
// every search: livelock
#include <semaphore.h>

#include "run_threads.h"

static sem_t lock;
int set;

static void *Poll(void *arg) {
  for (;;) {
    sem_wait(&lock);  // @poll
    int seen = set;
    sem_post(&lock);
    if (seen) return arg;
  }
}

int main() {
  sem_init(&lock, 0, 1);
  RunSame(2, Poll);
}
