// A constructor maps the memory that the threads count in: it is no part of the snapshot, and an
// execution that found there what the one before left would fail the assertion. The two additions
// come in two orders.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true executions=2
// traces: 2 enumerated
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "run_threads.h"

static atomic_int *count;

__attribute__((constructor)) static void MapCount(void) {
  count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *Add(void *argument) {
  atomic_fetch_add(count, 1);
  return argument;
}

int main(void) {
  RunSame(2, Add);
  assert(*count == 2);
}
