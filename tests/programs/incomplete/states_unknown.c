// More threads than a state is known of.
// heddle: check --preset one-page
// expect: incomplete=states-unknown
#include <heddle.h>

#include "run_threads.h"

static void* Run(void* arg) {
  heddle_hook();
  return arg;
}

int main(void) {
  for (int i = 0; i < 66; ++i) RunSame(1, Run);
}
