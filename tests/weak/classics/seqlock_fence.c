// A sequence lock as Boehm has it first (MSPC 2012, figure 6): the reader has relaxed loads of the data between an acquire
// load of the number and an acquire fence, behind which it looks again; the writer's stores to the data release, so that who
// sees one of them sees the odd number, too. FENCE_STORES=1 is the folk's variant: relaxed stores behind a release fence.
//
//                                                     sc  tso c11
// - strong                                          : 18  18  18
// * READ_FENCE=relaxed                              : 18  18  assertion
// - DATA=relaxed                                    : 18  18  assertion
// - DONE=relaxed                                    : 18  18  assertion
// - BEGIN=relaxed                                   : 18  18  assertion
// - FENCE_STORES=1,DATA=relaxed                     : 18  18  18
// - FENCE_STORES=1,DATA=relaxed,WRITE_FENCE=relaxed : 18  18  assertion
// - FENCE_STORES=1,DATA=relaxed,READ_FENCE=relaxed  : 18  18  assertion
#include "classics.h"

#ifndef READ_FENCE
#define READ_FENCE acquire
#endif
#ifndef WRITE_FENCE
#define WRITE_FENCE release
#endif
#ifndef DATA
#define DATA release
#endif
#ifndef DONE
#define DONE release
#endif
#ifndef BEGIN
#define BEGIN acquire
#endif

static atomic_int number, a, b;

static void* Write(void* unused) {
  STORE(number, 1, relaxed);
#ifdef FENCE_STORES
  FENCE(WRITE_FENCE);
#endif
  STORE(a, 1, DATA);
  STORE(b, 1, DATA);
  STORE(number, 2, DONE);
  return unused;
}

static void* Read(void* unused) {
  const int before = LOAD(number, BEGIN);
  const int first = LOAD(a, relaxed), second = LOAD(b, relaxed);
  FENCE(READ_FENCE);
  const int after = LOAD(number, relaxed);
  if (before % 2 == 0 && before == after) assert(first == second && first == before / 2);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Write, Read}); }
