// A deadlock in a binary that was built by the ordinary compiler: found, named, replayed.
// build: plain
// heddle: check --uninstrumented
// expect: verdict=bug kind=deadlock preemptions=1
// Graphs: either thread takes both locks first, or each takes one: 3. Executions: one thread takes both first, and the
// other one takes its first before or after the last unlock, 2 * 2; or each takes one, 2. 6. What was not rebuilt never
// counts as explored completely.
// heddle: check --uninstrumented --order depth-first --keep-going
// expect: verdict=bug executions=6 happens_before=3
#include "run_threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *Lock(void *arg) {
  pthread_mutex_t *first = arg ? &b : &a, *second = arg ? &a : &b;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}

int main() { RunSame(2, Lock); }
