// A thread that fails an assumption lets others go first, so everything that can come before is run. T: X = 1, Y == 0?,
// X = 0; U likewise. Whole executions are T before U and U before T: 2. Where both are in the middle the first assumption
// fails in one thread or in both, and the ends conflict.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=2 redundant=0
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true happens_before=2 redundant=0
// traces: 2 enumerated
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void* t(void* a) { x = 1; heddle_assume(y == 0); x = 0; return 0; }
static void* u(void* a) { y = 1; heddle_assume(x == 0); y = 0; return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  pthread_create(&q, 0, u, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
