// Three threads that take and give back a lock until they are told to stop, which nobody does: nobody holds it, or one of the three
// does, so there are four states. Each thread goes round alone, in an execution of its own, and keeps out the others: only the three
// ways together are a fair cycle. (In a loop without an end that would be progress: correct/locks_for_ever.c.)
// compilers: gcc clang
// heddle: check --visited states --keep-going --no-races
// expect: verdict=bug kind=livelock complete=true states=4 message~"the same 6 operations again and again, in a fair schedule"
// heddle: check --preset zing --keep-going --no-races
// expect: verdict=bug kind=livelock complete=true states=4 message~"the same 6 operations"
// Without memory for the ways between the states nothing is told of several executions' ways, and nothing is proved. (One execution
// goes all the way, because leaving a thread that goes round costs nothing; but not with each step where the threads are looked at,
// and so it is not known whether they make progress.) Without memory for the states nothing is told.
// heddle: check --preset zing --keep-going --no-races --memory 11M
// expect: verdict=incomplete complete=false states=4 incomplete=ways-unknown
// heddle: check --visited states --keep-going --no-races --memory 1M
// expect: verdict=incomplete complete=false incomplete=states-full
// every search: livelock
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static volatile int stop;

static void *Loop(void *arg) {
  while (!stop) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) { RunSame(3, Loop); }
