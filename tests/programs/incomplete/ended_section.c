// With --strict it matters how far other threads have come when the program ends; within an atomic section a reduction does not tell.
// heddle: check --strict --reduction optimal
// expect: incomplete=ended-section
#include <heddle.h>
#include <stdlib.h>

#include "run_threads.h"

static void *End(void *arg) { return arg; }

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, End, 0);
  heddle_atomic_begin();
  pthread_join(thread, 0);
  exit(0);
}
