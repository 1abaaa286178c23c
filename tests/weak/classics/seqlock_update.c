// Boehm's sequence lock with a read-don't-modify-write (MSPC 2012, figure 7): the reader's second look is a fetch_add of 0 that
// releases, and the writer begins with an exchange that acquires: either the reader's loads happen before what is written,
// or its second look comes after the exchange, and sees it. Weaker than that, the writer's exchange still reads from the second
// look, so that to read what is written behind it is a cycle of po and rf: hardware may do that, RC11 does not.
//
//                                sc  tso c11
// - strong                     : 18  18  18
// - AGAIN=relaxed              : 18  18  18
// - LOCK=relaxed               : 18  18  18
// - AGAIN=relaxed,LOCK=relaxed : 18  18  18
// - DONE=relaxed               : 18  18  assertion
// - BEGIN=relaxed              : 18  18  assertion
#include "classics.h"

#ifndef BEGIN
#define BEGIN acquire
#endif
#ifndef AGAIN
#define AGAIN release
#endif
#ifndef LOCK
#define LOCK acquire
#endif
#ifndef DONE
#define DONE release
#endif

static atomic_int number, a, b;

static void* Write(void* unused) {
  int even = 0;
  CAS(number, &even, 1, LOCK, relaxed);
  STORE(a, 1, relaxed);
  STORE(b, 1, relaxed);
  STORE(number, 2, DONE);
  return unused;
}

static void* Read(void* unused) {
  const int before = LOAD(number, BEGIN);
  const int first = LOAD(a, relaxed), second = LOAD(b, relaxed);
  const int after = ADD(number, 0, AGAIN);
  if (before % 2 == 0 && before == after) assert(first == second && first == before / 2);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Write, Read}); }
