// A wait with a time limit, repeated until somebody sets a flag that nobody sets: time passes for ever. The search
// runs into the limit on events or on time; explaining it, which is slower, into that on time: still one bug, and
// never lost.
// heddle: check --max-events 50000
// expect: verdict=bug kind=hang bugs=1 thread=T1 preemptions=0 message~"50000 visible operations"
// heddle: check --max-events 100000000 --hang-after 300ms
// expect: verdict=bug kind=hang bugs=1 thread=T1 preemptions=0 message~"300 ms"
// Nobody else is there: 1 execution.
// traces: 1 --max-events 50000 --keep-going
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
