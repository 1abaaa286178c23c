// The rounds of a loop that waits can run out.
// heddle: check --reduction happens-before
// expect: incomplete=run-out-table
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;

static void* Set(void* arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  for (int i = 0; i < 30 && !flag; ++i) continue;
  pthread_join(thread, 0);
}
