// Loops that wait, within a bound on preemptions. Two threads offer and two answer: who offers sets the state from 0 to 1, who
// answers from 1 to 2, and then the one who offered gives it back. Each notes when it is through. A thread that looks in vain
// gives its turn away for nothing, so more orders need at most one preemption than if the look were left out: 20 of the 24 that
// there are in all. A reduction that left it out found 12, and called that every schedule.
// heddle: check --bound preemptions=1 --reduction none
// expect: verdict=clean complete=true happens_before=28 by_preemptions=4,28
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true happens_before=28 by_preemptions=4,28
#include "offer_and_answer.h"

int main(void) { OfferAndAnswer(); }
