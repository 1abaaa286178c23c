// A condition variable is destroyed while a thread may still wait on it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy
// Graphs, with a and b the waits in the order of their locks, S the signal, D the destruction. S D a: 1, the wait is
// the error. S a D: b has locked or not, 2; S a b D: 1. a S D: b locks before or after a is back, 2. a S b D: b locks
// before a is back, which comes after D, or before, or a has unlocked, too: 3; or b locks after that, 1. a b S D:
// either is woken, and is not back, is back or has unlocked: 6. 16, for each order of the locks: 32.
// graphs: 32 --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Destroy(void *arg) {
  (void)arg;
  pthread_cond_signal(&changed);
  pthread_cond_destroy(&changed);  // @destroy
  return 0;
}

int main() { RunThreads(3, (Body[]){Wait, Wait, Destroy}); }
