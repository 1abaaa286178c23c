// rand(), strtok, the environment and the arguments start afresh in every execution.
// heddle: check -- argument
// expect: verdict=clean complete=true executions>=6
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated -- argument
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static atomic_int x;

static void *Dirty(void *arg) {
  (void)arg;
  x++;
  x++;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2 && strcmp(argv[1], "argument") == 0);
  assert(rand() == 1804289383);  // glibc's first number without a seed
  assert(getenv("HEDDLE_TEST_DIRT") == 0);
  setenv("HEDDLE_TEST_DIRT", "1", 1);
  char list[] = "a b";
  assert(strtok(list, " ") == list);
  RunSame(2, Dirty);
  assert(strcmp(strtok(0, " "), "b") == 0);
  argv[1][0] = 'A';
}
