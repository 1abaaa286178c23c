// Loops that wait, within a bound on preemptions. Two threads offer and two answer: who offers sets the state from 0 to 1, who
// answers from 1 to 2, and then the one who offered gives it back. Each notes when it is through. A thread that looks in vain
// gives its turn away for nothing, so more orders need at most one preemption than if the look were left out: 20 of the 24 that
// there are in all. A reduction that left it out found 12, and called that every schedule.
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=clean complete=true happens_before=28 by_preemptions=4,28
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true happens_before=28 by_preemptions=4,28
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

int main(void) { RunThreads(4, (Body[]){Offer, Offer, Answer, Answer}); }
