// T1 takes x back and sets it again for as long as T2 has not gone by, which waits for x to be 0. Both go round together: T1 waits
// after one round of its own only if T2 does not look in vain in between. So a search that comes back to a node, and does not make the
// looks in vain again, may find T1 waiting before it is there; it says so, and goes on elsewhere.
// compilers: gcc clang
// heddle: check --order random --reduction optimal --seed 1
// expect: incomplete=joint-loops bugs=0
// heddle: check --order random --reduction source --seed 1
// expect: incomplete=joint-loops bugs=0
// heddle: check --order depth-first --reduction optimal
// expect: incomplete=joint-loops bugs=0
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true
// heddle: check
// expect: incomplete=joint-loops bugs=0
// A graph has no room for all the rounds.
// heddle: check --memory-model c11 --order depth-first
// expect: incomplete=cut,reads-from-operation bugs=0
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x, y;

static void *WaitForX(void *arg) {
  atomic_store(&y, 1);
  while (atomic_load(&x) != 0) {
  }
  atomic_store(&y, 0);
  return arg;
}

static void *SetX(void *arg) {
  atomic_store(&x, 1);
  while (atomic_load(&y) != 0) {
    atomic_store(&x, 0);
    atomic_store(&x, 1);
  }
  atomic_store(&x, 0);
  return arg;
}

int main(void) { RunThreads(2, (const Body[]){SetX, WaitForX}); }
