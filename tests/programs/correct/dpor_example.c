// The first example of docs/algorithms/dpor.md. Two races, of x and of y; all four
// combinations of their orders are possible. 10 interleavings: 5 choose 2. Main runs at first, so
// its steps come first at no cost; main, all of the other thread, main: one preemption, as when the
// other thread comes first; the other thread up to its load of x, main, the rest: two.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=10 happens_before=4 by_preemptions=1,3,4
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=4 redundant=0 outcomes=00,01,10,11
// heddle: check --reduction happens-before --bound preemptions=0
// expect: verdict=clean complete=true executions=1 happens_before=1
// heddle: check --reduction happens-before --bound preemptions=1
// expect: verdict=clean complete=true executions=3 redundant=0 happens_before=3
// traces: 4 enumerated
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
atomic_int z;  // not static: Clang leaves out stores that nobody can see
static int r, s;

static void *Other(void *arg) {
  (void)arg;
  z = 1;
  s = x;
  y = 1;
  return 0;
}

int main() {
  pthread_t other;
  pthread_create(&other, 0, Other, 0);
  x = 1;
  r = y;
  pthread_join(other, 0);
  heddle_outcome("%d%d", r, s);
  return 0;
}
