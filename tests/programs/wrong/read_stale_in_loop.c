// As free_stale_in_loop.c, but what was freed is read in the round after the next, when later blocks lie where earlier
// ones did: it is still told.
// heddle: check
// expect: verdict=bug kind=use-after-free
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int looks;
static int *shared;

static void *Loop(void *arg) {
  for (int i = 0; i < 12; i++) {
    atomic_load(&looks);
    int *block = malloc(40);
    *block = i;
    if (i == 10) shared = block;
    atomic_store(&looks, i);
    free(block);
  }
  return arg;
}

static void *Use(void *arg) {
  if (atomic_load(&looks) >= 10) *shared = 1;
  return arg;
}

int main() {
  const Body bodies[] = {Loop, Use};
  RunThreads(2, bodies);
}
