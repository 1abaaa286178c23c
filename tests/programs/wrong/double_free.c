// Both threads believe that they are the last owner.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=double-free preemptions=1 location=@free message~"is freed twice, first by T" message~" at double_free.c:" message~", allocated by main at double_free.c:"
// Executions: the subtractions in two orders; the load of the first to subtract comes before or after the other's
// subtraction. 4. In the last two both free, in two orders: 6.
// traces: 6 enumerated --keep-going
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int owners = 2;
static void *block;

static void *Release(void *arg) {
  (void)arg;
  atomic_fetch_sub(&owners, 1);
  if (owners == 0) free(block);  // @free
  return 0;
}

int main() {
  block = malloc(16);
  RunSame(2, Release);
}
