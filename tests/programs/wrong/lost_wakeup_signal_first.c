// The signal is sent before the other thread waits, and the wait does not look at any condition.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 location=@wait
// expect: message="lost wake-up: T1 waits at lost_wakeup_signal_first.c:16 for condition variable changed and nobody is left to signal it"
// Graphs: the wait before or after the signal, 2.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *Wait(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);  // @wait
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Signal(void *arg) {
  (void)arg;
  pthread_cond_signal(&changed);
  return 0;
}

int main() { RunThreads(2, (Body[]){Wait, Signal}); }
