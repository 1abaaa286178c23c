// Two of the litmus tests of the Linux kernel's RCU (Alglave et al., ASPLOS 2018), with a grace period made as in rcu.c, and all
// else relaxed. A reader's section that has seen what came after a grace period sees what came before it, and one that
// has not seen what came before does not see what comes after: 1 (RCU-MP) reads y, then x; 2 (RCU-deferred-free) x, then y.
//
// x86 keeps both stores and both loads in order, so that it cannot break 1.
//
//                                sc  tso       c11
// - TEST=1                     : 4   4         4
// - TEST=1,ENTER_FENCE=acq_rel : 4   5         assertion
// - TEST=1,SYNC_FENCE=acq_rel  : 4   5         assertion
// - TEST=2                     : 4   4         4
// - TEST=2,ENTER_FENCE=acq_rel : 4   assertion assertion
// - TEST=2,SYNC_FENCE=acq_rel  : 4   assertion assertion
// - TEST=2,LEAVE=relaxed       : 4   4         4
#include "classics.h"

#ifndef ENTER_FENCE
#define ENTER_FENCE seq_cst
#endif
#ifndef SYNC_FENCE
#define SYNC_FENCE seq_cst
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef WAIT
#define WAIT acquire
#endif

static atomic_int inside, x, y;

static void* Read(void* unused) {
  STORE(inside, 1, relaxed);
  FENCE(ENTER_FENCE);
#if TEST == 1
  const int after = LOAD(y, relaxed), before = LOAD(x, relaxed);
#else
  const int before = LOAD(x, relaxed), after = LOAD(y, relaxed);
#endif
  STORE(inside, 0, LEAVE);
  assert(before == 1 || after == 0);
  return unused;
}

static void* Update(void* unused) {
  STORE(x, 1, relaxed);
  FENCE(SYNC_FENCE);
  while (LOAD(inside, WAIT)) continue;
  STORE(y, 1, relaxed);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Read, Update}); }
