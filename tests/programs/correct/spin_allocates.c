// Each look at the flag allocates and frees something, as code with strings or containers does. Rounds 1 to 4 have
// addresses of their own, round 5 has those of round 4, which it was not in before, and from round 6 on nothing changes:
// these looks are in vain.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true
// heddle: check --reduction none
// expect: verdict=clean complete=true
// heddle: check --visited states
// expect: verdict=clean complete=true
// Graphs: the first look that finds it set is number 1, 2, 3, 4, 5, or a later one.
// graphs: 6
// every search: none
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static atomic_int flag;

static void *Wait(void *arg) {
  while (!flag) {
    char *copy = malloc(40);
    int *seen = malloc(sizeof *seen);
    memset(copy, 'x', 40);
    *seen = copy[7];
    free(seen);
    free(copy);
  }
  // Where this lies does not depend on how often it looked in vain.
  atomic_int *own = malloc(sizeof *own);
  *own = 1;
  free(own);
  return arg;
}

static void *Set(void *arg) {
  flag = 1;
  return arg;
}

int main() {
  const Body bodies[] = {Wait, Set};
  RunThreads(2, bodies);
}
