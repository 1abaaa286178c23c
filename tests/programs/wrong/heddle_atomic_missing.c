// One of two threads does without the atomic section: its load and its store are two steps, and the other's
// section fits in between. At one preemption, because the section's begin is a scheduling point.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check --bound preemptions=0
// expect: verdict=clean
// Graphs: the section before, between or after the load and the store: 3.
// traces: 3 enumerated --keep-going
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int counter;

static void *AddInSection(void *arg) {
  heddle_atomic_begin();
  counter = counter + 1;
  heddle_atomic_end();
  return arg;
}

static void *Add(void *arg) {
  counter = counter + 1;
  return arg;
}

int main() {
  RunThreads(2, (Body[]){AddInSection, Add});
  assert(counter == 2);
}
