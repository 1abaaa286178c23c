// After heddle_done() a thread's operations are no scheduling points. Two threads with two and with three increments have
// C(5,2) = 10 interleavings; where the second is done after its first, the other two are one block, before which others may
// come: C(4,2) = 6.
// A thread that is done may still wait, here for a lock.
// heddle: check --order depth-first -- count
// expect: verdict=clean complete=true executions=6 outcomes=5
// heddle: check --order depth-first -- lock
// expect: verdict=clean complete=true outcomes=3
// Graphs: all updates conflict, so each of the 6 is one. With the lock, where the step of a thread that is done begins
// by a look if it has to wait, which only T1 makes others do: T1 first: the others looked meanwhile or not, in two
// orders: 2 * 2 * 2. T1 second: the one behind it looked or not: 2 * 2. T1 last: 2. 14.
// traces: 6 enumerated -- count
// graphs: 14 -- lock
#include <heddle.h>
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static atomic_int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Twice(void *arg) {
  counter++;
  counter++;
  return arg;
}

static void *OnceAndDone(void *arg) {
  counter++;
  heddle_done();
  counter++;
  counter++;
  return arg;
}

static void *Locked(void *arg) {
  if (arg) heddle_done();
  pthread_mutex_lock(&mutex);
  counter = counter + 1;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "count") == 0)
    RunThreads(2, (Body[]){Twice, OnceAndDone});
  else
    RunSame(3, Locked);
  heddle_outcome("%d", counter);
}
