// An atomic section, whose first step does not say what the others do.
// heddle: check --reduction happens-before
// expect: incomplete=sections-table
// heddle: check --reduction optimal --order best-first --priority rand
// expect: incomplete=sections-any-order
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int value;

static void* Add(void* arg) {
  heddle_atomic_begin();
  ++value;
  ++value;
  heddle_atomic_end();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
