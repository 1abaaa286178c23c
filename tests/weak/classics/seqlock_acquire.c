// Boehm's sequence lock without a fence (MSPC 2012): each load of the data acquires, so that the second look at the number, which
// is relaxed, cannot go before it; each store to the data releases.
//
//                         sc  tso c11
// - strong              : 18  18  18
// - DATA_STORE=relaxed  : 18  18  assertion
// - DONE=relaxed        : 18  18  assertion
// - BEGIN=relaxed       : 18  18  assertion
// - FIRST_LOAD=relaxed  : 18  18  assertion
// - SECOND_LOAD=relaxed : 18  18  assertion
#include "classics.h"

#ifndef BEGIN
#define BEGIN acquire
#endif
#ifndef FIRST_LOAD
#define FIRST_LOAD acquire
#endif
#ifndef SECOND_LOAD
#define SECOND_LOAD acquire
#endif
#ifndef DATA_STORE
#define DATA_STORE release
#endif
#ifndef DONE
#define DONE release
#endif

static atomic_int number, a, b;

static void* Write(void* unused) {
  STORE(number, 1, relaxed);
  STORE(a, 1, DATA_STORE);
  STORE(b, 1, DATA_STORE);
  STORE(number, 2, DONE);
  return unused;
}

static void* Read(void* unused) {
  const int before = LOAD(number, BEGIN);
  const int first = LOAD(a, FIRST_LOAD), second = LOAD(b, SECOND_LOAD);
  const int after = LOAD(number, relaxed);
  if (before % 2 == 0 && before == after) assert(first == second && first == before / 2);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Write, Read}); }
