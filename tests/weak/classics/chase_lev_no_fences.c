// The deque without fences: bottom and top are seq_cst where they meet, as in xenium since 0818d41. Before that its owner read
// top relaxed and a thief moved it relaxed; then both get the last but one item.
//
//                                        sc  tso       c11
// - strong                             : 89  90        94
// - TAKE_BOTTOM=release                : 89  assertion assertion
// - TAKE_TOP=relaxed                   : 89  assertion assertion
// - STEAL_CAS=relaxed                  : 89  90        assertion
// - STEAL_BOTTOM=acquire               : 89  90        assertion
// - TAKE_TOP=relaxed,STEAL_CAS=relaxed : 89  assertion assertion
// - PUT=relaxed                        : 89  90        assertion
#include "classics.h"

#ifndef PUT
#define PUT release
#endif
#ifndef TAKE_BOTTOM
#define TAKE_BOTTOM seq_cst
#endif
#ifndef TAKE_TOP
#define TAKE_TOP seq_cst
#endif
#ifndef STEAL_BOTTOM
#define STEAL_BOTTOM seq_cst
#endif
#ifndef STEAL_CAS
#define STEAL_CAS seq_cst
#endif

enum { kNothing = -1 };

static atomic_int top, bottom, slots[2];

static void Put(int item) {
  const int at = LOAD(bottom, relaxed);
  STORE(slots[at], item, relaxed);
  STORE(bottom, at + 1, PUT);
}

static int Take(void) {
  const int at = LOAD(bottom, relaxed) - 1;
  if (at < LOAD(top, relaxed)) return kNothing;
  STORE(bottom, at, TAKE_BOTTOM);
  const int item = LOAD(slots[at], relaxed);
  int first = LOAD(top, TAKE_TOP);
  if (first < at) return item;
  const int is_mine = first == at && CAS(top, &first, first + 1, STEAL_CAS, relaxed);
  STORE(bottom, at + 1, relaxed);
  return is_mine ? item : kNothing;
}

static int Steal(void) {
  int first = LOAD(top, acquire);
  if (first >= LOAD(bottom, STEAL_BOTTOM)) return kNothing;
  const int item = LOAD(slots[first], relaxed);
  return CAS(top, &first, first + 1, STEAL_CAS, relaxed) ? item : kNothing;
}

static int taken[2], stolen[2];

static void* Own(void* unused) {
  Put(1);
  Put(2);
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
  assert(times[0] == 0 && times[1] <= 1 && times[2] <= 1);
}
