// The mutex of a condition wait is destroyed while the thread waits, when nobody holds it: who wakes up locks a destroyed mutex.
// 6 traces: T1 destroys it before main locks it (the lock is the misuse), before main waits (to destroy it is, and ends the program before
// main's time is up or after that), while main waits (to wake up is), before main unlocks it (to destroy it is), or at last.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse bugs=3 kind=misuse message~"main wakes up and locks mutex m, which was destroyed by T1" kind=misuse message~"main locks mutex m, which was destroyed by T1" kind=misuse message~"T1 destroys mutex m, which main has locked"
// heddle: check --keep-going --order depth-first --reduction none
// expect: verdict=bug complete=true kinds=misuse bugs=3 kind=misuse message~"main wakes up and locks mutex m, which was destroyed by T1" kind=misuse message~"main locks mutex m, which was destroyed by T1" kind=misuse message~"T1 destroys mutex m, which main has locked"
// traces: 6 --keep-going
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *Destroy(void *arg) {
  pthread_mutex_destroy(&m);
  return arg;
}

int main(void) {
  const struct timespec soon = {0, 0};
  pthread_t thread;
  pthread_create(&thread, 0, Destroy, 0);
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &soon);
  pthread_mutex_unlock(&m);
  pthread_join(thread, 0);
  return 0;
}
