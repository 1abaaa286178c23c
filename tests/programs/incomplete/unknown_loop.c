// A loop that waits calls a function by a pointer.
// heddle: check
// expect: incomplete=unknown-loop
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;

static int Look(void) { return flag; }
static int (*volatile look)(void) = Look;

static void* Set(void* arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  while (!look()) continue;
  pthread_join(thread, 0);
}
