// A thread takes and gives back a spin lock until another one, which needs the lock once, tells it to stop. Only a schedule
// that lets the other one look at the wrong moment each time goes on for ever. That is no livelock, but a warning names the
// loop: where priorities count, it keeps the other one out. With --strict it is a bug, and unfair.
// heddle: check --order depth-first
// expect: verdict=clean complete=true bugs=0 warning~"a loop that never yields"
// heddle: check --order context-bounded
// expect: verdict=clean complete=true bugs=0
// heddle: check --order depth-first --reduction optimal
// expect: incomplete=joint-loops bugs=0
// heddle: check --order depth-first --strict
// expect: verdict=bug kind=livelock message~"in an unfair schedule" livelock=unfair
// every search: none
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
  stop = 1;
  lock = 0;
  return arg;
}

int main() { RunThreads(2, (Body[]){Hog, Want}); }
