// A loop that counts its rounds while it waits, in code that shows that nothing depends on the counter: only its last look matters,
// not after how many rounds. The flag is set before it or after it: 2.
// compilers: gcc clang   opt: -O2
// heddle: check
// expect: verdict=clean complete=true executions=2 outcomes=woken,ran-out warnings=0
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=2 outcomes=woken,ran-out
// heddle: check --reduction source -- 3000
// expect: verdict=clean complete=true outcomes=woken,ran-out
// traces: 2 enumerated
// traces: 2 enumerated -- 3000
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int flag;
static int most = 100;

static void *Wait(void *arg) {
  for (int i = 0; i < most; i++) {
    if (atomic_load(&flag)) {
      heddle_outcome("woken");
      return arg;
    }
  }
  heddle_outcome("ran-out");
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc > 1) most = atoi(argv[1]);
  pthread_create(&thread, 0, Wait, 0);
  flag = 1;
  pthread_join(thread, 0);
}
