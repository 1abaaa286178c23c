// Neighbours in memory are no conflict, whether they are atomic or plain: N threads that each write
// an element of their own of an array have one trace, with scheduling points at all accesses, too.
// heddle: check --order depth-first --reduction optimal --points all -- 8
// expect: verdict=clean complete=true executions=1 happens_before=1
// traces: 1 enumerated -- 3
// traces: 1 -- 8
// traces: 1 enumerated --points all -- 2
// traces: 1 --points all -- 8
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static _Alignas(16) atomic_int ints[8];
static _Alignas(16) atomic_uchar bytes[8];
static _Alignas(16) short shorts[8];

static void *Write(void *arg) {
  long i = (long)arg;
  ints[i] = 1;
  bytes[i] = 2;
  shorts[i] = 3;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  RunSame(atoi(argv[1]), Write);
}
