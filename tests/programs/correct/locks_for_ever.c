// Three threads that take and give back a lock in a loop that has no end: nobody holds it, or one of the three does, so there are
// four states. All of them make progress for ever, which is what the program is written to do. (Where the loop could be left it is a
// livelock: wrong/states_three_ways.c.) A failed assertion would end the loop, and is no way out of it.
// compilers: gcc clang
// opt: -O0 -O1 -O2
// heddle: check --visited states --keep-going --no-races
// expect: verdict=clean complete=true states=4
// heddle: check --preset zing --keep-going --no-races
// expect: verdict=clean complete=true states=4
// The reductions do not know that a step leads back, so here nothing is proved.
// heddle: check --no-races --time 20
// expect: verdict=incomplete incomplete=polls-under-lock,joint-loops
// Each way into the loops for ever is an execution, and counts as one. By two threads:
// heddle: check --reduction none --no-races -- two
// expect: verdict=clean complete=true executions=8
// heddle: check --no-races -- two
// expect: verdict=incomplete incomplete=polls-under-lock,joint-loops executions=8
// every search: none
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Loop(void *arg) {
  for (;;) {
    assert(pthread_mutex_lock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(int count, char **arguments) {
  (void)arguments;
  RunSame(count > 1 ? 2 : 3, Loop);
}
