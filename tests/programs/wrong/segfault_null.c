// A null pointer is followed when the consumer comes first. The crash then comes before or after what the producer does: 3 executions.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=crash preemptions=0 location=@crash message~"null pointer"
// heddle: check --order depth-first --keep-going
// expect: verdict=bug complete=true executions=3 bugs=1
// What an order that draws schedules has learnt outlives the process.
// heddle: check --order pct --keep-going --executions 30
// expect: verdict=bug executions=30 bugs=1
// heddle: check --order pos --keep-going --executions 30
// expect: verdict=bug executions=30 bugs=1
// heddle: check --order surw --keep-going --executions 30
// expect: verdict=bug executions=30 bugs=1
// heddle: check --order rff --keep-going --executions 30
// expect: verdict=bug executions=30 bugs=1
// Traces: the load before or after the store, 2. Graphs: the executions, 3.
// traces: 2 --keep-going
// graphs: 3 --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static int value = 3;
static _Atomic(int *) pointer;

static void *Set(void *arg) {
  (void)arg;
  pointer = &value;
  return 0;
}

static void *Use(void *arg) {
  (void)arg;
  int *p = pointer;
  return (void *)(long)*(volatile int *)p;  // @crash
}

int main() { RunThreads(2, (Body[]){Set, Use}); }
