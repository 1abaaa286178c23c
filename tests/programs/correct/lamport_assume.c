// Lamport's bakery, whose waiting loops are assumptions: a thread that would have to wait is dropped, and with it what
// came after. Before that the others go on, so the end comes last, and every trace is run once.
// heddle: check --reduction optimal -- 2
// expect: verdict=clean complete=true redundant=0
// As many as plain enumeration has graphs:
// traces: 9 enumerated -- 2
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

enum { kMost = 4 };

static atomic_int choosing[kMost], number[kMost];
static int count, inside;

static void *Enter(void *arg) {
  const int self = (int)(long)arg;
  choosing[self] = 1;
  int most = 0;
  for (int i = 0; i < count; i++) {
    const int other = i == self ? 0 : number[i];
    if (other > most) most = other;
  }
  number[self] = most + 1;
  choosing[self] = 0;
  for (int i = 0; i < count; i++) {
    if (i == self) continue;
    heddle_assume(choosing[i] == 0);
    const int other = number[i];
    heddle_assume(other == 0 || other > most + 1 || (other == most + 1 && i > self));
  }
  inside++;
  assert(inside == 1);
  inside--;
  number[self] = 0;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  count = atoi(argv[1]);
  RunSame(count, Enter);
}
