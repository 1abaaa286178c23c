// A condition variable is destroyed while a thread may still wait on it.
// heddle: check
// expect: verdict=bug kind=misuse location=@destroy
// Traces, with a and b the waits in the order of their locks, S the signal, D the destruction. S D a: a is the error, and
// b never has the mutex, 1. S a D: D is the error, without effect, and b waits beside it, 1. S a b D: 1. a S D: b is the
// error, and locks before a is back, which then waits for ever, or after a's unlock, 2. a S b D: b locks before or after
// that, 2. a b S D: either is woken, 2. 9, for each order of the locks: 18.
// Graphs: where the program ends by D, who is not waiting by then has come so far or not. S a D: b has not locked, has,
// or waits, 3. a S b D: if b locks first, a is not back, is, or has unlocked, 3; else 1. a b S D: the same of who is
// woken, 6. With S D a, S a b D and a S D (1, 1, 2) 17, for each order 34. (traces.py derives both, too.)
// traces: 18 --keep-going
// graphs: 34 --keep-going
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
