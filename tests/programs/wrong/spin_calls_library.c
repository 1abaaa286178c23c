// Each round of a loop that waits writes to a buffer, by a function that heddle does not know. Its rounds are taken to change
// nothing, so that one after which the buffer says something else is not told apart: the report names the function, and
// the search is not complete. Natively some 64 of 200 runs fail.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~"a loop that waits calls strfromd"
// heddle: check --reduction none
// expect: verdict=bug kind=assertion
// No number of graphs is stated, because the search is not complete.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static atomic_int flag;
static char last[32];

static void* Set(void* arg) {
  flag = 1;
  flag = 2;
  return arg;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  int value;
  while ((value = flag) != 2) strfromd(last, sizeof last, "%.0f", value);
  assert(strcmp(last, "0") != 0);
  pthread_join(thread, 0);
}
