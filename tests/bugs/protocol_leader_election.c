// Leader election on a ring of three with atomic registers: each station writes its number into its neighbour's register if it is the highest
// that it has seen, and takes itself for the leader when its own number comes back. A register holds one number, and is overwritten.
// A station compares before it writes, but does not do both at once: a lower number can overwrite a higher one, which then never comes back;
// each station gives up after some rounds, and takes the highest it has seen for the leader: they disagree.
// Right: the register is raised by compare-and-swap.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kStations = 3, kRounds = 2 };

static const int number[kStations] = {2, 3, 1};
static atomic_int reg[kStations];
static atomic_int highest_written;

static void Raise(atomic_int *r, int n) {
  int old = *r;
#ifdef FIXED
  while (old < n && !atomic_compare_exchange_weak(r, &old, n)) {
  }
#else
  if (old < n) *r = n;
#endif
}

static void *Station(void *arg) {
  int self = (int)(long)arg, next = (self + 1) % kStations;
  int best = number[self];
  for (int round = 0; round < kRounds; round++) {
    Raise(&reg[next], best);
    int heard = reg[self];
    if (heard > best) best = heard;
  }
  Raise(&reg[next], best);
  Raise(&highest_written, best);
  return 0;
}

int main() {
  RunSame(kStations, Station);
  assert(highest_written == 3);
}
