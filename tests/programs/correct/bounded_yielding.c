// Locks that yield while they are taken, within a bound on preemptions. Whoever has found the lock taken twice waits, which costs
// nothing, and the graph alone does not tell that from an attempt it is about to make: what a reduction takes to be a preemption
// there, and is none, is a schedule missed. (54 of the 78 graphs with at most one preemption were found, and called all.)
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=clean complete=true happens_before=78 by_preemptions=6,78
// heddle: check --bound preemptions=1 --reduction happens-before
// expect: verdict=clean complete=true happens_before=78 executions=78
// heddle: check --bound preemptions=1 --reduction bounded
// expect: verdict=clean complete=true happens_before=78
// heddle: check --bound preemptions=2 --reduction none
// expect: verdict=clean complete=true happens_before=195 by_preemptions=6,78,195
// heddle: check --bound preemptions=2 --reduction happens-before
// expect: verdict=clean complete=true happens_before=195 executions=195
// In one pass no bound is through before all are.
// heddle: check --bound preemptions=2 --reduction happens-before --executions 40 --jobs 1
// expect: verdict=incomplete complete=false completed_bound=-1 guarantee~"nothing is proved"
// heddle: check --bound preemptions=2 --order context-bounded --reduction happens-before --executions 150 --jobs 1
// expect: verdict=incomplete complete=false completed_bound=1
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true happens_before=246 executions=246
#define WAIT sched_yield()
#include "yielding_locks.h"

int main(void) { TakeAll(); }
