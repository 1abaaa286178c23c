// main may wait at the barrier before T1 has initialised it, or after. Before, T1 may still initialise it until main's misuse ends
// the program, or not: 3 executions. That it may not is no trace of its own for a reduction.
// heddle: check --order depth-first --reduction none --keep-going
// expect: verdict=bug complete=true executions=3 bugs=1 kind=misuse message~"never initialised"
// heddle: check
// expect: verdict=bug kind=misuse message~"never initialised"
// traces: 2 --keep-going
#include <pthread.h>
pthread_barrier_t b;
static void* t(void* a) { pthread_barrier_init(&b, 0, 1); return 0; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_barrier_wait(&b);
  pthread_join(p, 0);
  return 0;
}
