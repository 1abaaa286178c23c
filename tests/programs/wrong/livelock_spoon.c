// Two who are hungry and have one spoon, and each gives it to the other one, who is hungry. In no schedule does anybody eat.
// heddle: check --order depth-first
// expect: verdict=bug kind=livelock preemptions=0 message~"in a fair schedule" livelock=fair
// heddle: check --order random --executions 20
// expect: verdict=bug kind=livelock
// every search: livelock
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int owner;
static atomic_int hungry[2] = {1, 1};

static void *Eat(void *arg) {
  long me = (long)arg;
  while (hungry[me]) {
    if (owner != me) continue;
    if (!hungry[1 - me]) hungry[me] = 0;
    owner = 1 - me;
  }
  return 0;
}

int main() { RunSame(2, Eat); }
