// Seven members vote in two rounds, each with a load, a computation and a store of a shared tally, retried by compare-and-swap where the
// tally is contended. The tally is a byte in which votes and members that gave up share the bits; a member gives up after one failed attempt.
// If four of them fail, their count runs over into the votes.
// Interleaving: four compare-and-swaps must fail, each because its thread was interrupted after the load: four preemptions, in any of very many ways.
// bug: preemptions=4 threads=8
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kMembers = 7, kRounds = 2 };

#ifdef FIXED
enum { kVote = 16 };
#else
enum { kVote = 4 };
#endif

static atomic_int tally, voted, gave_up;

static void *Member(void *arg) {
  for (int round = 0; round < kRounds; round++) {
    int old = tally;
    if (atomic_compare_exchange_strong(&tally, &old, old + kVote)) {
      voted++;
    } else {
      atomic_fetch_add(&tally, 1);
      gave_up++;
    }
  }
  return arg;
}

int main() {
  RunSame(kMembers, Member);
  assert(tally / kVote == voted);
  assert(tally % kVote == gave_up);
}
