// A wait with a time limit, repeated until somebody sets a flag that nobody sets, and the clock is read each time: time passes for
// ever. That it never ends is not proved, so the execution is cut.
// heddle: check --reduction optimal --max-events 50000
// expect: verdict=incomplete complete=false bugs=0 executions=1 stdout~"cut after 50000 visible operations"
// No number of graphs is stated, because the search is not complete.
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int set;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!set) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() { RunSame(1, Wait); }
