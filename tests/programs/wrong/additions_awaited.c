// Additions of which nobody looks at what they found commute (docs/algorithms/spinning.md), but a loop waits for what two of
// them leave. Leaving out one of the four is not enough to get there.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --reduction dpor --order depth-first
// expect: verdict=bug kind=assertion
// heddle: check --reduction source --order depth-first
// expect: verdict=bug kind=assertion
// heddle: check --reduction sleep-sets --order depth-first
// expect: verdict=bug kind=assertion
#include <pthread.h>
#include <stdatomic.h>

#include "run_threads.h"

unsigned heddle_add_unseen(volatile unsigned *, unsigned, int);

static atomic_uint n;

static void *Add(void *arg) {
  heddle_add_unseen((volatile unsigned *)&n, 1, __ATOMIC_SEQ_CST);
  return arg;
}

static void *Wait(void *arg) {
  unsigned seen;
  while ((seen = n) != 2 && seen < 100) {
  }
  assert(seen != 2);
  return arg;
}

int main(void) {
  pthread_t waits, adds[4];
  for (int i = 0; i < 4; i++) pthread_create(&adds[i], 0, Add, 0);
  pthread_create(&waits, 0, Wait, 0);
  for (int i = 0; i < 4; i++) pthread_join(adds[i], 0);
  n = 100;
  pthread_join(waits, 0);
}
