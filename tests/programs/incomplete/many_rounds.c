// A loop that may run out of its 50,000 rounds while the flag could still be set.
// heddle: check --reduction none
// expect: incomplete=many-rounds
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
  for (int i = 0; i < 50000 && !flag; ++i) continue;
  pthread_join(thread, 0);
}
