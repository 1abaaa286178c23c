// One thread, and nothing to choose: one execution is all of them, also for the orders that draw schedules.
// heddle: check --order random
// expect: verdict=clean executions=1 complete=true guarantee~"every schedule explored (1 execution)"
// heddle: check --order pct
// expect: verdict=clean executions=1 complete=true
// heddle: check --order pos
// expect: verdict=clean executions=1 complete=true
// heddle: check --order surw
// expect: verdict=clean executions=1 complete=true
// heddle: check --order rff
// expect: verdict=clean executions=1 complete=true
// heddle: check --order depth-first
// expect: verdict=clean executions=1 complete=true
// heddle: check
// expect: verdict=clean executions=1 complete=true
// Neither with a choice of the program's own, nor with a thread.
// heddle: check --order random --executions 20 -- chooses
// expect: verdict=incomplete executions=20
// heddle: check --order pct --executions 20 -- creates
// expect: verdict=incomplete executions=20
#include <heddle.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  Lock(0);
  if (argc > 1 && !strcmp(argv[1], "chooses")) heddle_choose(2);
  if (argc > 1 && !strcmp(argv[1], "creates")) RunSame(2, Lock);
}
