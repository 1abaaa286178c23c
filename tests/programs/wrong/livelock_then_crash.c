// A cycle of states is left where the schedule alone keeps a thread out: what comes after it is explored, and wrong.
// heddle: check --order depth-first
// expect: verdict=bug kind=assertion
// heddle: check --order depth-first --reduction optimal
// expect: verdict=bug kind=assertion
// every search: assertion
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int lock, stop;

static void Lock(void) {
  while (atomic_exchange(&lock, 1)) {
  }
}

static void *Hog(void *arg) {
  while (!stop) {
    Lock();
    lock = 0;
  }
  return arg;
}

static void *Want(void *arg) {
  Lock();
  lock = 0;
  assert(stop);
  stop = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Hog, Want}); }
