// Dining philosophers, who take the left fork first. Interleaving: all have their left fork before any has its right one. One is
// interrupted after its left fork; the others come in the order in which each then waits for the one before: one preemption, but n! orders.
// Right: the last one takes the right fork first.
// bug: preemptions=1 threads=6
// bug: name=deadlock_philosophers_16 args=16 preemptions=1 threads=17
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
// fixed: check --order random --executions 500 -- 16
// expect: verdict=incomplete bugs=0
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t forks[16];
static int philosophers;

static void *Dine(void *arg) {
  int self = (int)(long)arg;
  pthread_mutex_t *left = &forks[self], *right = &forks[(self + 1) % philosophers];
#ifdef FIXED
  if (self == philosophers - 1) {
    pthread_mutex_t *swap = left;
    left = right, right = swap;
  }
#endif
  for (int meal = 0; meal < 2; meal++) {
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
  }
  return 0;
}

int main(int argc, char **argv) {
  philosophers = argc > 1 ? atoi(argv[1]) : 5;
  for (int i = 0; i < philosophers; i++) pthread_mutex_init(&forks[i], 0);
  RunSame(philosophers, Dine);
  for (int i = 0; i < philosophers; i++) pthread_mutex_destroy(&forks[i]);
}
