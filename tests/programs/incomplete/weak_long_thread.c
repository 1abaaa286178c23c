// A thread of more operations than an execution graph has room for: the execution is cut, and that is no bug.
// heddle: check --memory-model c11
// expect: incomplete=cut,reads-from-operation
// heddle: check --memory-model tso --reduction none --order depth-first --executions 1
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int count;

static void* Add(void* unused) {
  for (int i = 0; i < 33000; i++) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return unused;
}

int main(void) { RunSame(1, Add); }
