// Two locks in opposite orders: two traces end well, one is a deadlock and needs a preemption.
// The second example of docs/algorithms/dpor.md.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@first location=@second
// heddle: check --order depth-first --keep-going
// expect: verdict=bug complete=true executions=6 happens_before=3 by_preemptions=2,3 bugs=1
// heddle: check --bound preemptions=0
// expect: verdict=clean
// traces: 3 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *First(void *arg) {
  (void)arg;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // @first
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // @second
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

int main() { RunThreads(2, (Body[]){First, Second}); }
