// A loop that changes memory and changes it back until it is stopped, within a bound.
// heddle: check --reduction happens-before --bound preemptions=1
// expect: incomplete=restoring-table
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag, taken;

static void* Set(void* arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  while (!flag) {
    taken = 1;
    taken = 0;
  }
  pthread_join(thread, 0);
}
