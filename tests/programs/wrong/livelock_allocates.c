// Nobody ever sets what it waits for; that it allocates in each round does not make the loop go on.
// heddle: check
// expect: verdict=bug kind=livelock
// every search: livelock
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int stop;

static void *Wait(void *arg) {
  while (!stop) {
    int *work = malloc(100 * sizeof *work);
    for (int i = 0; i < 10; i++) work[i] = i;
    free(work);
  }
  return arg;
}

int main() { RunSame(1, Wait); }
