// As correct/bounded_spinning.c, with an order that needs one preemption and a look in vain: thread 0, 2, then 1. The reduction
// within a bound left such schedules out, and called the rest every schedule with at most 1 preemption.
// heddle: check --bound preemptions=1
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=bug kind=assertion preemptions=1
#include <assert.h>

#include "offer_and_answer.h"

int main(void) {
  OfferAndAnswer();
  assert(!(order[0] == 0 && order[1] == 2 && order[2] == 1));
}
