// The rounds of a loop that waits are counted in memory, and another thread looks at the count while the loop runs, which
// is a data race. What it finds then matters, so no number of rounds is left out: not where races are not looked for, nor
// where the search goes on.
// heddle: check --points all
// expect: verdict=bug kind=data-race
// heddle: check --points all --no-races
// expect: verdict=clean complete=true outcomes=0,1,2,3,4,5,6,7,8,9,10
// heddle: check --points all --keep-going
// expect: verdict=bug kinds=data-race complete=true outcomes=0,1,2,3,4,5,6,7,8,9,10
// heddle: check --keep-going
// expect: verdict=bug kinds=data-race complete=true outcomes=0,1,2,3,4,5,6,7,8,9,10
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;
static long rounds;

static void *Wait(void *arg) {
  while (!atomic_load(&flag))
    if (++rounds == 10) break;
  return arg;
}

int main(void) {
  pthread_t thread;
  char label[32];
  pthread_create(&thread, 0, Wait, 0);
  const long seen = rounds;
  flag = 1;
  pthread_join(thread, 0);
  snprintf(label, sizeof label, "%ld", seen);
  heddle_outcome(label);
  return 0;
}
