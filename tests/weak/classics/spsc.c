// Lamport's ring of one producer and one consumer (1983), as folly and Boost have it, of one slot here: two puts, two takes.
// The tail publishes what was put; the head, that it was taken and the slot may be written again.
//
//                       sc   tso  c11
// - strong            : 6    6    6
// - PUT=relaxed       : race race race
// - SEE_PUT=relaxed   : race race race
// - TAKEN=relaxed     : race race race
// - SEE_TAKEN=relaxed : race race race
#include "classics.h"

#ifndef PUT
#define PUT release
#endif
#ifndef SEE_PUT
#define SEE_PUT acquire
#endif
#ifndef TAKEN
#define TAKEN release
#endif
#ifndef SEE_TAKEN
#define SEE_TAKEN acquire
#endif
#ifndef SLOTS
#define SLOTS 1
#endif

static int slots[SLOTS];
static atomic_int head, tail;

static void Put(int value) {
  const int at = LOAD(tail, relaxed);
  if (at - LOAD(head, SEE_TAKEN) == SLOTS) return;
  slots[at % SLOTS] = value;
  STORE(tail, at + 1, PUT);
}

static int Take(void) {
  const int at = LOAD(head, relaxed);
  if (at == LOAD(tail, SEE_PUT)) return 0;
  const int value = slots[at % SLOTS];
  STORE(head, at + 1, TAKEN);
  return value;
}

static void* Produce(void* unused) {
  Put(1);
  Put(2);
  return unused;
}

static void* Consume(void* unused) {
  const int first = Take();
  const int second = Take();
  assert(first == 0 ? second <= 1 : first == 1 && (second == 0 || second == 2));
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Produce, Consume}); }
