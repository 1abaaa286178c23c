// A semaphore is initialised while another thread posts it: a post before the init is lost. Or after: 2.
// heddle: check
// expect: verdict=bug kind=deadlock message~semaphore
// traces: 2 enumerated --keep-going
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void* t(void* a) { sem_post(&s); return 0; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  sem_init(&s, 0, 0);
  sem_wait(&s);
  pthread_join(p, 0);
  return 0;
}
