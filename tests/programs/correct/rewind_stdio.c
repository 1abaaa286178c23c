// Standard I/O starts afresh too: buffers, positions, an opened file that is never closed,
// printf's own state.
// heddle: check
// expect: verdict=clean complete=true executions>=6
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static atomic_int x;
static char buffer[64];

static void *Print(void *arg) {
  printf("thread %ld\n", (long)arg);
  x++;
  fprintf(stderr, "%d%ld", 1, (long)arg);
  x++;
  return 0;
}

int main() {
  assert(buffer[0] == 0);
  printf("unfinished line");
  FILE *memory = fmemopen(buffer, sizeof buffer, "w");
  assert(memory);
  fprintf(memory, "%d", 123);
  fflush(memory);
  assert(strcmp(buffer, "123") == 0);
  FILE *file = fopen("/dev/null", "w");
  assert(file);
  fputs("never flushed", file);
  RunSame(2, Print);
  fclose(memory);
}
