// As poll_under_semaphore.c, but by default the loop is not begun before there is something to find: it goes round where a
// search first changes that. Each search of the default has to see it in one of its first executions, or it makes 10,000
// rounds at a time for ever.
// T1 makes 0, 1 or 2 rounds in vain: the state after the second is the one after the first, so then main goes on. 3 executions.
// heddle: check
// expect: verdict=incomplete executions=3 events<=1000 warning~"a loop that never yields"
// heddle: check --order depth-first
// expect: verdict=clean complete=true events<=1000
// every search: none
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int done;

static void *Polls(void *arg) {
  (void)arg;
  for (;;) {
    sem_wait(&semaphore);
    const int found = done;
    sem_post(&semaphore);
    if (found) return 0;
  }
}

int main() {
  pthread_t thread;
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, 0, Polls, 0);
  sem_wait(&semaphore);
  done = 1;
  sem_post(&semaphore);
  pthread_join(thread, 0);
  sem_destroy(&semaphore);
}
