// As correct/bounded_yielding.c, with an order that one preemption shows: thread 1 has the lock when thread 2 wants it, and nobody
// has when thread 3 does.
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=1 --reduction happens-before
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=1
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=0
// expect: verdict=clean complete=true completed_bound=0
#include <assert.h>

#define WAIT sched_yield()
#include "yielding_locks.h"

int main(void) {
  TakeAll();
  assert(!(order == 4 * (4 * 1 + 2) + 3 && waited[2] && !waited[3]));
}
