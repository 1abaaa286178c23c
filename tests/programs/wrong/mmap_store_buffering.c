// The two variables lie in memory that each execution maps. It had another address in every execution, so that nothing was
// known to conflict: 2 executions, and the one that fails was not among them.
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --keep-going
// expect: verdict=bug complete=true executions=3
// Graphs: each load before or after the other's store, but not both before: 3.
// traces: 3 enumerated --keep-going
#include <stdatomic.h>
#include <sys/mman.h>

#include "run_threads.h"

struct Shared {
  atomic_int x, y;
};
static struct Shared* shared;
static int r1, r2;

static void* First(void* arg) {
  shared->x = 1;
  r1 = shared->y;
  return arg;
}

static void* Second(void* arg) {
  shared->y = 1;
  r2 = shared->x;
  return arg;
}

int main() {
  shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  RunThreads(2, (Body[]){First, Second});
  assert(!(r1 == 1 && r2 == 0));
}
