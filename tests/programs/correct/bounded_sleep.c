// Figure 1 of Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration", MSR-TR-2007-12. Both values
// of y can be reached without a preemption; a sleep set with that bound loses y = 1: after y = 2, x = 1 was explored already, and
// then y = 1 is never made last. There are two graphs: one for each order of the stores to y.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --reduction happens-before --bound preemptions=0
// expect: verdict=clean complete=true executions=2 redundant=0 happens_before=2 outcomes=y=1,y=2
// heddle: check --preset cb-por
// expect: verdict=clean complete=true executions=2 redundant=0 happens_before=2 outcomes=y=1,y=2
// heddle: check --reduction happens-before-all --bound preemptions=0
// expect: verdict=clean complete=true executions=2 happens_before=2 outcomes=y=1,y=2
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *First(void *arg) {
  (void)arg;
  x = 1;
  y = 1;
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  y = 2;
  return 0;
}

int main() {
  pthread_t first, second;
  pthread_create(&first, 0, First, 0);
  pthread_create(&second, 0, Second, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  heddle_outcome("y=%d", y);
}
