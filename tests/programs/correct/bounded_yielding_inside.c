// Locks that look at the lock, and yield, until it is free, and only then try again. A thread stands at the inner loop a few rounds
// after it was left alone, and waits from then on; the number of preemptions is that of the schedules in which it waits, whatever
// the search has met before. (With a bound of 1 the loop was not recognised, and a bug was said to need two preemptions, which
// the search with a bound of 2 then found with one.)
//
// The graphs: say the threads get the lock in the order A, B, C; 6 such orders. B finds it taken by A, or does not. If C does not
// while A has it, it finds it taken by B or does not: 2. If it does, it sees that the lock is free before B takes it, and then finds it
// taken by B or does not, or it sees it after B: 3. If B and C both find it taken by A, then in either order: 2 + 3 + 2 + 2 x 3 = 13.
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=clean complete=true happens_before=36 by_preemptions=6,36
// heddle: check --bound preemptions=1 --reduction happens-before
// expect: verdict=clean complete=true happens_before=36 executions=36
// heddle: check --bound preemptions=1 --reduction bounded
// expect: verdict=clean complete=true happens_before=36
// heddle: check --bound preemptions=3 --reduction none
// expect: verdict=clean complete=true happens_before=78 by_preemptions=6,36,60,78
// heddle: check --bound preemptions=2 --reduction happens-before
// expect: verdict=clean complete=true happens_before=60 executions=60
// heddle: check
// expect: verdict=clean complete=true happens_before=78 executions=78
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true happens_before=78 executions=78
#define WAIT while (atomic_load(&lock)) sched_yield()
#include "yielding_locks.h"

int main(void) { TakeAll(); }
