// What a transfer breaks for a moment is seen by nobody where it is one step: plain accesses between two
// scheduling points, or an atomic section.
// heddle: check --order depth-first
// expect: verdict=clean complete=true happens_before=4
// Two orders of the mutex, and of the sections; a reduction runs no more, and may miss states in between.
// heddle: check --order depth-first --reduction optimal
// expect: incomplete=invariant executions=4 redundant=0
// heddle: check --bound preemptions=2
// expect: verdict=clean complete=true
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked[2] = {3, 4};
static atomic_int alone[2] = {3, 4};

static int SumOfLocked(void *arg) { return ((int *)arg)[0] + ((int *)arg)[1] == 7; }
static int SumOfAlone(void *arg) { return arg == &alone && alone[0] + alone[1] == 7; }

static void *Transfer(void *arg) {
  pthread_mutex_lock(&mutex);
  locked[0]--;
  locked[1]++;
  pthread_mutex_unlock(&mutex);
  heddle_atomic_begin();
  alone[0]--;
  alone[1]++;
  heddle_atomic_end();
  return arg;
}

int main() {
  heddle_invariant(SumOfLocked, locked);
  heddle_invariant(SumOfAlone, &alone);
  RunSame(2, Transfer);
}
