// main chooses before it has threads: 0 ends at once, 1 has two threads that each add one in two steps, 2 one thread.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=8 happens_before=6 outcomes=alone,1,2,one
// heddle: check --preset cb-por
// expect: verdict=clean complete=true executions=6 redundant=0 happens_before=6 outcomes=alone,1,2,one
// heddle: check --order context-bounded
// expect: verdict=clean complete=true happens_before=6 outcomes=alone,1,2,one
// heddle: check --reduction happens-before --bound preemptions=0
// expect: verdict=clean complete=true executions=4 happens_before=4 outcomes=alone,2,one
// Graphs: without threads 1; with one 1; with two 4 (increment.c). Executions without a reduction: 1, 1 and 6.
// traces: 6 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *Add(void *arg) {
  (void)arg;
  int seen = x;
  x = seen + 1;
  return 0;
}

int main() {
  static const char *const names[] = {"alone", 0, "one"};
  int choice = heddle_choose(3);
  if (choice == 1) RunThreads(2, (Body[]){Add, Add});
  if (choice == 2) RunThreads(1, (Body[]){Add});
  if (choice == 1) {
    heddle_outcome("%d", x);
  } else {
    heddle_outcome("%s", names[choice]);
  }
}
