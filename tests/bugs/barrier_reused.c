// A barrier for three threads that is used in a loop: the last one to come resets the count and wakes the others, who wait until the
// count is 0.
// Interleaving: the last one goes on to the next phase and counts itself before a thread that was woken has looked: that one
// finds the count at 1 and sleeps again, and there will never be three.
// Right: a phase number.
// bug: preemptions=0 threads=4
// heddle: check --order context-bounded
// expect: verdict=bug kind=deadlock preemptions=0
// heddle: check
// expect: verdict=bug kind=deadlock execution=1 "found_by=depth-first optimal"
// fixed: check
// expect: verdict=clean complete=true
#include "run_threads.h"

enum { kThreads = 3, kPhases = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int count, phase;

static void Wait(void) {
  pthread_mutex_lock(&mutex);
  if (++count == kThreads) {
    count = 0;
    phase++;
    pthread_cond_broadcast(&all_here);
  } else {
#ifdef FIXED
    int mine = phase;
    while (phase == mine) pthread_cond_wait(&all_here, &mutex);
#else
    while (count != 0) pthread_cond_wait(&all_here, &mutex);
#endif
  }
  pthread_mutex_unlock(&mutex);
}

static void *Run(void *arg) {
  for (int i = 0; i < kPhases; i++) Wait();
  return arg;
}

int main() { RunSame(kThreads, Run); }
