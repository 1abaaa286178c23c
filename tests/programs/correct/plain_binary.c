// A binary built by the ordinary compiler: its synchronisation is explored, and because heddle
// cannot see more of it, that proves nothing.
// build: plain
// heddle: check --order depth-first --uninstrumented
// expect: incomplete=uninstrumented executions=6 happens_before=6
// expect: guarantee~"schedules may be missing" stdout~"was not built with heddle-cc"
// Graphs: three sections under one mutex, 3! = 6 orders, each of which is one execution.
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *Add(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunSame(3, Add);
  assert(x == 3);
}
