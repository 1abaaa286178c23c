// What is awaited is there for a moment only: the value that the loop saw last comes back. The loop may have missed it, and then
// waits for ever; or it saw it.
// heddle: check --keep-going
// expect: verdict=bug kinds=assertion,livelock
// Graphs: the loop looks between the two stores, or never finds anything. 2.
// traces: 2 --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;
static int seen;

static void *Wait(void *arg) {
  while (!flag) {
  }
  seen = 1;
  assert(!seen);
  return arg;
}

static void *Blink(void *arg) {
  flag = 1;
  flag = 0;
  return arg;
}

int main() { RunThreads(2, (Body[]){Wait, Blink}); }
