// A struct is copied while another thread writes it: the copy reads where it is made, after both
// hooks of the compiler, and the copy's two halves are never of different writes. Either order of
// the two, and nothing else: 2 outcomes.
// heddle: check --keep-going
// expect: verdict=bug complete=true outcomes=0,1
// compilers: gcc clang   opt: -O0 -O2
// traces: 2 enumerated --keep-going
#include <heddle.h>

#include "run_threads.h"

typedef struct {
  long words[16];
} Large;
static volatile Large shared, copy;

static void *Write(void *arg) {
  shared.words[3] = 1;
  return arg;
}

static void *Copy(void *arg) {
  copy = shared;
  return arg;
}

int main() {
  RunThreads(2, (Body[]){Write, Copy});
  heddle_outcome("%ld", copy.words[3]);
}
