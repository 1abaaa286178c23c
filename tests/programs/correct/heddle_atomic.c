// A load and a store in one atomic section are one step: the counter is exact, and the executions are
// those of two fetch-and-adds. Sections nest; one that waits lets others run.
// heddle: check --order depth-first -- add
// expect: verdict=clean complete=true executions=2 outcomes=2
// heddle: check --order depth-first -- nested
// expect: verdict=clean complete=true executions=2 outcomes=2
// heddle: check --order depth-first -- wait
// expect: verdict=clean complete=true outcomes=1
// Graphs: which section comes first, 2. The one that waits may have the mutex first and wait for the condition, find it
// taken, which is a look at it, or come later: 3.
// traces: 2 enumerated -- add
// traces: 2 enumerated -- nested
// traces: 3 enumerated -- wait
#include <heddle.h>
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static atomic_int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;

static void *Add(void *arg) {
  (void)arg;
  heddle_atomic_begin();
  counter = counter + 1;
  heddle_atomic_end();
  return 0;
}

static void *AddNested(void *arg) {
  heddle_atomic_begin();
  int before = counter;
  heddle_atomic_begin();
  heddle_atomic_end();
  counter = before + 1;
  heddle_atomic_end();
  return arg;
}

static void *Take(void *arg) {
  heddle_atomic_begin();
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&filled, &mutex);
  pthread_mutex_unlock(&mutex);
  counter = full;
  heddle_atomic_end();
  return arg;
}

static void *Fill(void *arg) {
  pthread_mutex_lock(&mutex);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "wait") == 0)
    RunThreads(2, (Body[]){Take, Fill});
  else
    RunSame(2, strcmp(argv[1], "add") == 0 ? Add : AddNested);
  heddle_outcome("%d", counter);
}
