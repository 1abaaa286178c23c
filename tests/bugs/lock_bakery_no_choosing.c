// Lamport's bakery for three threads without the flag `choosing`: a thread may be about to take a number that somebody else believes
// is not taken.
// Interleaving: two threads compute the same number; the one with the higher index enters, because the other has not written its own
// yet, and then the one with the lower index enters as well.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 1900
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 3 };

static atomic_int number[kThreads], choosing[kThreads], inside;

static void Lock(int self) {
#ifdef FIXED
  choosing[self] = 1;
#endif
  int highest = 0;
  for (int i = 0; i < kThreads; i++) {
    int n = number[i];
    if (n > highest) highest = n;
  }
  number[self] = highest + 1;
  choosing[self] = 0;
  for (int i = 0; i < kThreads; i++) {
    if (i == self) continue;
    while (choosing[i]) {
    }
    for (;;) {
      int n = number[i];
      if (n == 0 || n > number[self] || (n == number[self] && i > self)) break;
    }
  }
}

static void *Run(void *arg) {
  int self = (int)(long)arg;
  Lock(self);
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  number[self] = 0;
  return 0;
}

int main() { RunSame(kThreads, Run); }
