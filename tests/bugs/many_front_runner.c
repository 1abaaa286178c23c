// A registry of twelve plug-ins: each takes the lock, appends itself, and uses what the one before it in the list offers. Plug-in 1 must not come
// before plug-in 0, which opens the log; nothing makes sure of that.
// No preemption, but a choice among those that wait for the lock at the very begin. A walk that changes the end first has 10! orders of
// the others before it comes to that; half of all random schedules show it.
// bug: preemptions=0 threads=13
// heddle: check --order random --seed 1 --no-minimise
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include "run_threads.h"

enum { kPlugins = 12 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int list[kPlugins], length, log_open;

static void *Register(void *arg) {
  int self = (int)(long)arg;
#ifdef FIXED
  if (self == 0) return 0;
#endif
  pthread_mutex_lock(&mutex);
  if (self == 0) log_open = 1;
  if (self == 1) assert(log_open);
  list[length++] = self;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
#ifdef FIXED
  log_open = 1;
#endif
  RunSame(kPlugins, Register);
}
