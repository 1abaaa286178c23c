// The first execution deadlocks, and it is the first in which these threads are there. Who stands before what is all that tells of the
// other trace, however executions are undone: thread 1 takes the mutex and waits for a semaphore that nobody posts, thread 2 takes the
// mutex before or after it. So 2 traces, both deadlocks.
// traces: 2 --keep-going
// traces: 2 --keep-going --rewind memory
// traces: 2 --keep-going --rewind fork
// traces: 2 --keep-going --rewind fork-checkpoint
// heddle: check --keep-going --rewind fork --order depth-first --reduction source
// expect: verdict=bug kind=deadlock complete=true executions=2 happens_before=2
// heddle: check --keep-going --rewind fork --order depth-first --reduction dpor
// expect: verdict=bug kind=deadlock complete=true happens_before=2
// heddle: check --keep-going --rewind fork --order depth-first --reduction sleep-sets
// expect: verdict=bug kind=deadlock complete=true executions=2 happens_before=2
// heddle: check --keep-going --rewind fork
// expect: verdict=bug kind=deadlock complete=true executions=2 happens_before=2
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void *Waits(void *unused) {
  pthread_mutex_lock(&mutex);
  sem_wait(&never);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *Takes(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&never, 0, 0);
  pthread_create(&threads[0], NULL, Waits, NULL);
  pthread_create(&threads[1], NULL, Takes, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
