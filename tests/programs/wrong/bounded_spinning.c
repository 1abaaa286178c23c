// As correct/bounded_spinning.c, with an order that needs one preemption and a look in vain: thread 0, 2, then 1. The reduction
// within a bound left such schedules out, and called the rest every schedule with at most 1 preemption.
// heddle: check --bound preemptions=1
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=bug kind=assertion preemptions=1
#include <assert.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int state, order[4], done;

static void *Offer(void *name) {
  int expected;
  do {
    expected = 0;
  } while (!atomic_compare_exchange_strong(&state, &expected, 1));
  while (state != 2) {
  }
  state = 0;
  order[done++] = (int)(long)name;
  return 0;
}

static void *Answer(void *name) {
  int expected;
  do {
    expected = 1;
  } while (!atomic_compare_exchange_strong(&state, &expected, 2));
  order[done++] = (int)(long)name;
  return 0;
}

int main(void) {
  RunThreads(4, (Body[]){Offer, Offer, Answer, Answer});
  assert(!(order[0] == 0 && order[1] == 2 && order[2] == 1));
}
