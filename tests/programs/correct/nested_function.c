// GCC's nested functions, called through a pointer: code on the stack of the thread that has them,
// which therefore has to be executable, main's as well as the others'. Each thread's step is its
// locked section: 2 orders.
// heddle: check --order depth-first
// expect: verdict=clean executions=2 complete=true
// traces: 2 enumerated
// compilers: gcc
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int Apply(int (*function)(int), int value) { return function(value); }

static void *Add(void *arg) {
  int offset = 3;
  int Shifted(int value) { return value + offset; }
  int (*volatile pointer)(int) = Shifted;
  pthread_mutex_lock(&mutex);
  sum += Apply(pointer, 4);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  int factor = 2;
  int Scaled(int value) { return value * factor; }
  int (*volatile pointer)(int) = Scaled;
  assert(Apply(pointer, 5) == 10);
  RunSame(2, Add);
  assert(sum == 14);
}
