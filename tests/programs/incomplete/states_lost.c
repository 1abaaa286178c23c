// An execution with more states than the search takes up from one.
// heddle: check --preset one-page --executions 3
// expect: incomplete=states-lost
#include <heddle.h>

#include "run_threads.h"

static int value;

static void* Run(void* arg) {
  for (int i = 0; i < 100000; ++i) {
    heddle_hook();
    value = i;
  }
  return arg;
}

int main(void) {
  heddle_shared(&value, sizeof value);
  RunSame(2, Run);
}
