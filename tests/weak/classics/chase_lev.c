// The work-stealing deque of Chase and Lev (SPAA 2005) with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
// The owner puts two and takes as many; a thief tries to steal twice. Nothing is got twice, nothing is got that was not put.
// Both fences that are seq_cst have to be: else the owner takes an item without a look at its competitors that a thief with a
// stale bottom takes as well (on x86 only the owner's: it stores, then loads). The fence of a put, or its counterpart, publishes
// the item. The order of the exchanges is not needed for that (the fences do it), nor the acquire of top: by po ∪ rf alone
// a thief cannot read what is put into its slot later. Hardware that lets loads be overtaken by later stores needs both.
//
//                               sc  tso       c11
// - strong                    : 90  90        90
// - TAKE_FENCE=acq_rel        : 90  assertion assertion
// - TAKE_FENCE=relaxed        : 90  assertion assertion
// - STEAL_FENCE=acq_rel       : 90  90        assertion
// - STEAL_FENCE=relaxed       : 90  90        assertion
// - PUT_FENCE=relaxed         : 90  90        assertion
// - STEAL_BOTTOM=relaxed      : 90  90        assertion
// - STEAL_TOP=relaxed         : 90  90        90
// - PUT_TOP=relaxed           : 90  90        90
// - TAKE_CAS=relaxed          : 90  90        90
// - STEAL_CAS=relaxed         : 90  90        90
// - SLOTS=1                   : 62  62        64
// - SLOTS=1,PUT_TOP=relaxed   : 62  62        64
// - SLOTS=1,STEAL_CAS=relaxed : 62  62        64
#include "classics.h"

#ifndef PUT_TOP
#define PUT_TOP acquire
#endif
#ifndef PUT_FENCE
#define PUT_FENCE release
#endif
#ifndef TAKE_FENCE
#define TAKE_FENCE seq_cst
#endif
#ifndef TAKE_CAS
#define TAKE_CAS seq_cst
#endif
#ifndef STEAL_TOP
#define STEAL_TOP acquire
#endif
#ifndef STEAL_FENCE
#define STEAL_FENCE seq_cst
#endif
#ifndef STEAL_BOTTOM
#define STEAL_BOTTOM acquire
#endif
#ifndef STEAL_CAS
#define STEAL_CAS seq_cst
#endif

#ifndef SLOTS
#define SLOTS 2
#endif

enum { kNothing = -1 };

static atomic_int top, bottom, slots[SLOTS];

static int Put(int item) {
  const int at = LOAD(bottom, relaxed);
  if (at - LOAD(top, PUT_TOP) == SLOTS) return 0;
  STORE(slots[at % SLOTS], item, relaxed);
  FENCE(PUT_FENCE);
  STORE(bottom, at + 1, relaxed);
  return 1;
}

static int Take(void) {
  const int at = LOAD(bottom, relaxed) - 1;
  STORE(bottom, at, relaxed);
  FENCE(TAKE_FENCE);
  int first = LOAD(top, relaxed), item = kNothing;
  if (first <= at) {
    item = LOAD(slots[at % SLOTS], relaxed);
    if (first < at) return item;
    if (!CAS(top, &first, first + 1, TAKE_CAS, relaxed)) item = kNothing;
  }
  STORE(bottom, at + 1, relaxed);
  return item;
}

static int Steal(void) {
  int first = LOAD(top, STEAL_TOP);
  FENCE(STEAL_FENCE);
  if (first >= LOAD(bottom, STEAL_BOTTOM)) return kNothing;
  const int item = LOAD(slots[first % SLOTS], relaxed);
  return CAS(top, &first, first + 1, STEAL_CAS, relaxed) ? item : kNothing;
}

static int puts[3], taken[2], stolen[2];

static void* Own(void* unused) {
  puts[1] = Put(1);
  puts[2] = Put(2);
  taken[0] = Take();
  taken[1] = Take();
  return unused;
}

static void* Thieve(void* unused) {
  stolen[0] = Steal();
  stolen[1] = Steal();
  return unused;
}

int main(void) {
  RunThreads(2, (Body[]){Own, Thieve});
  int times[3] = {0};
  for (int i = 0; i < 2; i++) {
    if (taken[i] != kNothing) times[taken[i]]++;
    if (stolen[i] != kNothing) times[stolen[i]]++;
  }
  for (int item = 0; item < 3; item++) assert(times[item] == puts[item]);
}
