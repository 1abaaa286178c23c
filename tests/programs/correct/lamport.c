// Lamport's fast mutual exclusion (ACM Transactions on Computer Systems 5(1), 1987, algorithm 2). Where it waits stands
// an assumption: a thread that would have to wait is dropped, and with it what came after; one that need not goes round
// again. Before that the others go on, so the end comes last, and every trace is run once.
// heddle: check --reduction optimal -- 2
// expect: verdict=clean complete=true redundant=0
// heddle: check --reduction optimal -- 3
// expect: verdict=clean complete=true redundant=0
// The numbers are derived in programs/traces.py (the second one takes minutes: traces.py "lamport -- 3"), which extends
// traces and shares nothing with heddle.
// traces: 16 enumerated -- 2
// traces: 9216 -- 3
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kMost = 4 };

static atomic_int wants[kMost + 1], x, y;
static int count, inside;

static void Lock(int self) {
  for (;;) {
    wants[self] = 1;
    x = self;
    if (y != 0) {
      wants[self] = 0;
      heddle_assume(y == 0);
      continue;
    }
    y = self;
    if (x == self) return;
    wants[self] = 0;
    for (int j = 1; j <= count; j++) heddle_assume(wants[j] == 0);
    if (y == self) return;
    heddle_assume(y == 0);
  }
}

static void *Enter(void *arg) {
  const int self = 1 + (int)(long)arg;
  Lock(self);
  inside++;
  assert(inside == 1);
  inside--;
  y = 0;
  wants[self] = 0;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  count = atoi(argv[1]);
  assert(count <= kMost);
  RunSame(count, Enter);
}
