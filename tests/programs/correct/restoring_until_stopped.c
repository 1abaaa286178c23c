// A thread that changes and restores what another one waits for, until that one has seen it and stops it.
// heddle: check --order depth-first
// expect: verdict=clean complete=true bugs=0
// heddle: check --order depth-first --reduction source
// expect: verdict=clean complete=true bugs=0
// every search: none
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, stop;

static void *Flip(void *arg) {
  while (!stop) {
    x = 1;
    x = 0;
  }
  return arg;
}

static void *Look(void *arg) {
  while (!x) {
  }
  stop = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Flip, Look}); }
