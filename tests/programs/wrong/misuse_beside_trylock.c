// main destroys a mutex that it holds (misuse), T1 tries to lock it and keeps it, T2 initialises a semaphore of its own.
// 3 traces: T1 tries before main locks (main then blocks for ever), after main has locked, after main has destroyed.
// traces: 3 --keep-going
// heddle: check --keep-going --reduction optimal
// expect: verdict=bug complete=true executions=3 redundant=0 bugs=2 kind=deadlock kind=misuse message~"which main has locked"
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static void* Try(void* unused) {
  pthread_mutex_trylock(&m);
  return unused;
}
static void* Initialise(void* unused) {
  sem_init(&s, 0, 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, Try, 0);
  pthread_create(&b, 0, Initialise, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
