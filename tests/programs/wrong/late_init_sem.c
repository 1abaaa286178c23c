// main may post before T1 has initialised the semaphore: the post is lost, and main waits for ever. Or after: 2.
// heddle: check
// expect: verdict=bug kind=deadlock message~semaphore
// traces: 2 enumerated --keep-going
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void* t(void* a) { sem_init(&s, 0, 0); return 0; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  sem_post(&s);
  pthread_join(p, 0);
  sem_wait(&s);
  return 0;
}
