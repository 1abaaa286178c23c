// A lost wake-up in one order, a failed assertion in the other: minimising the deadlock meets the
// assertion, and must still know the deadlock again.
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=2 kinds=deadlock,assertion
// expect: kind=deadlock preemptions=0 location=@wait
// expect: kind=assertion preemptions=0 location=@assertion
// Graphs: the wait comes before the signaller's section, and so before the signal; or it comes after the section,
// before or after the signal. 3.
// traces: 3 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;

static void *Signal(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&turn);
  return arg;
}

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&turn, &mutex);  // @wait
  pthread_mutex_unlock(&mutex);
  assert(!"signalled");  // @assertion
  return arg;
}

int main() { RunThreads(2, (Body[]){Signal, Wait}); }
