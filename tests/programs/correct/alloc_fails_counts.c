// Each thread's first allocations may fail, any one of them: what fails in one is no matter of the other's.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --fail-allocations 2
// expect: verdict=clean complete=true executions=9
// heddle: check --fail-allocations 1 --reduction source
// expect: verdict=clean complete=true executions=4
// heddle: check --fail-allocations 2 --reduction sleep-sets
// expect: verdict=clean complete=true executions=9
// heddle: check --fail-allocations 2 --order depth-first --bound preemptions=1
// expect: verdict=clean
// heddle: check --fail-allocations 2 --order random --executions 50
// expect: verdict=incomplete executions=50
// heddle: check --fail-allocations 2 --visited states
// expect: verdict=clean complete=true
// Derived: a thread's first allocation fails, or its second, or none, 3; two threads that share nothing, 3 * 3. With N = 1
// the second never fails: 2 * 2. With N = 3 there is no third to fail: 9 again. main allocates nothing.
// traces: 9 enumerated --fail-allocations 2
// traces: 9 --fail-allocations 3
// traces: 4 enumerated --fail-allocations 1
// compilers: gcc clang
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "run_threads.h"

// Clang takes it that malloc leaves errno alone, if it sees that it is malloc.
static void *(*volatile Allocate)(size_t) = malloc;
static void *(*volatile AllocateArray)(size_t, size_t) = calloc;

static void *Run(void *arg) {
  errno = 0;
  int *first = Allocate(sizeof(int));
  if (!first) assert(errno == ENOMEM);
  int *second = AllocateArray(2, sizeof(int));
  if (!second) assert(errno == ENOMEM);
  assert(first || second);
  if (first) *first = 1;
  if (second) assert(second[1] == 0);
  free(first);
  free(second);
  return arg;
}

int main(void) { RunSame(2, Run); }
