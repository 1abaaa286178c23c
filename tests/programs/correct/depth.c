// A value is chosen, which has no depth; then two threads make two steps each, ab and cd. There are at most three choices of threads:
// a step that only one can make is none. By default a thread goes on as long as it can:
//   abcd leaves it nowhere   cdab at the first   acdb, cabd at the second, too   acbd, cadb at the third
// each with both values.
// heddle: check --bound depth=1
// expect: verdict=clean complete=true executions=4 completed_bound=1 order=depth-first outcomes=0,1
// expect: guarantee~"every schedule that leaves the default only in its first choice of threads explored (4 executions); any bug left"
// heddle: check --bound depth=2
// expect: verdict=clean complete=true executions=8 completed_bound=2 guarantee~"first 2 choices of threads explored (8 executions)"
// heddle: check --bound depth=3
// expect: verdict=clean complete=true executions=12 guarantee~"every schedule explored (12 executions)"
// heddle: check --bound depth=1 --iterate
// expect: verdict=clean complete=true executions=12 completed_bound=3 guarantee~"every schedule explored (12 executions)"
// heddle: check --bound depth=1 --iterate --executions 9
// expect: verdict=incomplete completed_bound=2 guarantee~"first 2 choices of threads explored, then stopped by the limit on executions (9 executions in all)"
// heddle: check --bound depth=2 --iterate --executions 8
// expect: verdict=incomplete complete=false
// heddle: check --bound preemptions=1 --iterate --reduction none
// expect: verdict=clean complete=true executions=8 order=context-bounded completed_bound=1
#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"

static atomic_int x;

static void *two(void *arg) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  heddle_outcome("%d", (int)heddle_choose(2));
  pthread_create(&a, NULL, two, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
