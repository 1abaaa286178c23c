// free() of an address in the middle of a block.
// heddle: check
// expect: verdict=bug kind=invalid-free location=@free message~"malloc did not return it: it lies 8 bytes into block#1, 64 bytes, allocated by main at free_invalid.c:"
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <stdlib.h>

#include "run_threads.h"

static char *block;
static volatile int offset = 8;

static void *Release(void *arg) {
  (void)arg;
  free(block + offset);  // @free
  return 0;
}

int main() {
  block = malloc(64);
  RunSame(1, Release);
}
