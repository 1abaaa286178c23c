// errno belongs to the thread, whatever the interleaving.
// heddle: check
// expect: verdict=clean complete=true
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#include <errno.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *Use(void *arg) {
  int mine = 100 + (int)(long)arg;
  errno = mine;
  x++;
  assert(errno == mine);
  x++;
  assert(errno == mine);
  return 0;
}

int main() {
  errno = 7;
  RunSame(2, Use);
  assert(errno == 7);
}
