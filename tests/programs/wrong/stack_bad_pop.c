// A stack whose pop looks at the top and takes it in two steps: two pops take one value, and the assertion fails before
// the others have come to rest. They go on before the end, so that every trace with every end is run once.
// heddle: check --reduction optimal --keep-going -- 2
// expect: verdict=bug complete=true redundant=0 kind=assertion location=@taken
// Both look at the top first: the stores in either order, and the exchanges in either order: 4. One pops before the
// other one looks: 2.
// traces: 6 enumerated --keep-going -- 2
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kMost = 8 };

static atomic_int top;
static int values[kMost];
static atomic_int taken[kMost];

static void *Pop(void *arg) {
  const int at = atomic_load(&top);
  if (at == 0) return arg;
  atomic_store(&top, at - 1);
  const int value = values[at - 1];
  const int before = atomic_exchange(&taken[value], 1);
  assert(before == 0);  // @taken
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  const int count = atoi(argv[1]);
  for (int i = 0; i < count; i++) values[i] = i;
  top = count;
  RunSame(count, Pop);
}
