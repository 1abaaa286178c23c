// A block of moodycamel's queue before 0d54c67: consumers count up when they have taken an element, and the one that takes the
// last hands the block on to be filled again. If it only releases by that, it does not know what the others have done,
// and so does not hand that on.
//
//                     sc   tso  c11
// - strong          : 4    4    4
// - DONE=release    : race race race
// - DONE=acquire    : race race race
// - DONE=relaxed    : race race race
// - RECYCLE=relaxed : race race race
// - REUSE=relaxed   : race race race
#include "classics.h"

#ifndef DONE
#define DONE acq_rel
#endif
#ifndef RECYCLE
#define RECYCLE release
#endif
#ifndef REUSE
#define REUSE acquire
#endif

static int elements[2] = {1, 1};
static atomic_int taken, is_free;

static void* Consume(void* arg) {
  assert(elements[(long)arg] == 1);
  if (ADD(taken, 1, DONE) == 1) STORE(is_free, 1, RECYCLE);
  return arg;
}

static void* Produce(void* unused) {
  if (LOAD(is_free, REUSE)) elements[0] = elements[1] = 2;
  return unused;
}

int main(void) { RunThreads(3, (Body[]){Consume, Consume, Produce}); }
