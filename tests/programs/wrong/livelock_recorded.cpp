// T1 stores what it has read of plain memory, for ever: it comes back to the same state in each round, also when the plain accesses are
// recorded, which leaves something else on the stack below each time. Without optimisation the functions of std::atomic have frames there,
// and parts of them that nobody writes.
// compilers: gcc clang   opt: -O0
// heddle: check
// expect: verdict=bug kind=livelock message~"T1 spins on atomic x"
#include <atomic>

#include "run_threads.h"

static std::atomic<int> x;
static int value;

static void *StoreForEver(void *) {
  for (;;) x.store(value);
}

int main() { RunSame(1, StoreForEver); }
