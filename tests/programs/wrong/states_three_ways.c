// Three threads that take and give back a lock for ever: nobody holds it, or one of the three does, so there are four states. Each
// thread goes round alone, in an execution of its own, and keeps out the others: only the three ways together are a fair cycle.
// compilers: gcc clang
// heddle: check --visited states --keep-going --no-races
// expect: verdict=bug kind=livelock complete=true states=4 message~"the same 6 operations again and again, in a fair schedule"
// heddle: check --preset zing --keep-going --no-races
// expect: verdict=bug kind=livelock complete=true states=4 message~"the same 6 operations"
// Without memory for the ways between the states nothing is told of several executions' ways, and nothing is proved: here one execution
// goes all the way, because leaving a thread that goes round costs nothing. Without memory for the states nothing is told.
// heddle: check --preset zing --keep-going --no-races --memory 11M
// expect: verdict=bug kind=livelock complete=false states=4 incomplete=ways-unknown
// heddle: check --visited states --keep-going --no-races --memory 1M
// expect: verdict=incomplete complete=false incomplete=states-full
// every search: livelock
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Loop(void *arg) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) { RunSame(3, Loop); }
