// The same deque where it grows. As printed by Lê et al. the owner stores the new array relaxed; the fence of the put comes
// behind it. A thief that has seen enough in bottom from before may read the new array, and of it slots that it does not
// know to be filled: found by Norris and Demsky (OOPSLA 2013). GROW=release mends it, as who reads the array acquires it.
//
//                       sc  tso c11
// - strong            : 5   5   5
// - GROW=relaxed      : 5   5   assertion
// - SEE_ARRAY=relaxed : 5   5   assertion
#include "classics.h"

#ifndef GROW
#define GROW release
#endif
#ifndef SEE_ARRAY
#define SEE_ARRAY acquire
#endif

enum { kNothing = -1 };

typedef struct {
  int size;
  atomic_int slots[2];
} Array;

static Array small = {1, {0, 0}}, large = {2, {0, 0}};
static _Atomic(Array*) array = &small;
static atomic_int top, bottom;

static void Put(int item) {
  const int at = LOAD(bottom, relaxed), first = LOAD(top, acquire);
  Array* to = LOAD(array, relaxed);
  if (at - first >= to->size) {
    for (int i = first; i < at; i++)
      STORE(large.slots[i % 2], LOAD(to->slots[i % to->size], relaxed), relaxed);
    STORE(array, &large, GROW);
    to = &large;
  }
  STORE(to->slots[at % to->size], item, relaxed);
  FENCE(release);
  STORE(bottom, at + 1, relaxed);
}

static int Steal(void) {
  int first = LOAD(top, acquire);
  FENCE(seq_cst);
  if (first >= LOAD(bottom, acquire)) return kNothing;
  Array* from = LOAD(array, SEE_ARRAY);
  const int item = LOAD(from->slots[first % from->size], relaxed);
  return CAS(top, &first, first + 1, seq_cst, relaxed) ? item : kNothing;
}

static void* Own(void* unused) {
  Put(1);
  Put(2);
  return unused;
}

static void* Thieve(void* unused) {
  const int item = Steal();
  assert(item == 1 || item == kNothing);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Own, Thieve}); }
