// T1 announces the semaphore before it has initialised it; a post in between is lost, and main waits for ever. S, I are
// T1's operations, L, P and A T2's. Graphs: L before S; L after S and P after I; P before I.
// heddle: check
// expect: verdict=bug kind=deadlock message~semaphore
// traces: 3 enumerated --keep-going
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
sem_t s;
atomic_int ready, posted;
static void* t(void* a) { ready = 1; sem_init(&s, 0, 0); return 0; }
static void* u(void* a) { if (ready) { sem_post(&s); posted = 1; } return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  pthread_create(&q, 0, u, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  if (posted) sem_wait(&s);
  return 0;
}
