// T1 announces the barrier before it has initialised it, and T2 may use it in between. S, I are T1's operations, L and
// W T2's (W only if L comes after S): L S I; S L I W; S I L W; and S L W, where the barrier is none yet. S L I W and
// S I L W are one graph. After S L W the end comes after I, or before it: 4 of 5.
// heddle: check --order depth-first --reduction none --keep-going
// expect: verdict=bug complete=true executions=5 happens_before=4 bugs=1 kind=misuse message~"never initialised" location=@wait
// heddle: check
// expect: verdict=bug kind=misuse message~"never initialised" location=@wait
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b;
atomic_int ready;
static void* t(void* a) { ready = 1; pthread_barrier_init(&b, 0, 1); return 0; }
static void* u(void* a) { if (ready) pthread_barrier_wait(&b); return 0; }  // @wait
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  pthread_create(&q, 0, u, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
