// More states than fit in --memory.
// heddle: check --visited states --reduction none --memory 1M
// expect: incomplete=states-full
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int values[3];

static void* Count(void* arg) {
  for (int i = 0; i < 40; ++i) values[(long)arg] = i;
  return arg;
}

int main(void) { RunThreads(3, (Body[]){Count, Count, Count}); }
