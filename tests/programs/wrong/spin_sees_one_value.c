// A loop whose rounds are in vain, but for one value that is there for a moment only: in one of the
// executions it is looked at just then.
// opt: -O2   compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --reduction source
// expect: verdict=bug kind=assertion
// heddle: check --reduction dpor
// expect: verdict=bug kind=assertion
// heddle: check --preset cb-por
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --reduction sleep-sets
// expect: verdict=bug kind=assertion
// Graphs: the loop looks when 3 is there, or finds nothing but 5: what it sees of 1, 2 and 4 is in vain. 2.
// traces: 2 --keep-going
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *Count(void *arg) {
  for (int i = 1; i <= 5; i++) atomic_store(&flag, i);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Count, NULL);
  int found;
  while ((found = atomic_load(&flag)) != 5) assert(found != 3);
  pthread_join(thread, NULL);
}
