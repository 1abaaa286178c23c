// A lock that spins for ten rounds, yields and tries again, and a thread that takes it twice.
// heddle: check
// expect: verdict=bug kind=livelock
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <sched.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int taken;

static void Lock(void) {
  for (;;) {
    for (int i = 0; i < 10; i++)
      if (!atomic_exchange(&taken, 1)) return;
    sched_yield();
  }
}

static void *Twice(void *arg) {
  Lock();
  Lock();
  return arg;
}

int main() { RunSame(1, Twice); }
