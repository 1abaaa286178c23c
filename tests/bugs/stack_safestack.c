// "SafeStack": a stack of array indices that a thread may pop only while there is more than one, written to be free of the
// ABA problem: to pop is to exchange the `next` of the head by -1 first, and to put it back where that was in vain.
// It is not: a thread that puts its `next` back can write over that of an element which was popped and pushed again meanwhile.
// Without an argument two threads own the same element in the end, and an assertion fails: 7 preemptions, by a breadth-first search of a
// model of the program, whose schedule heddle replays (6 until two threads own it). With one, each thread pops and pushes once, and main
// looks whether elements are lost: 4.
// Right: the head carries a number that every change increments, and the `next` of the head is only read.
// bug: preemptions=7 threads=4
// bug: name=stack_safestack_lost args=once preemptions=4 threads=4
// heddle: check --order random -- once
// expect: verdict=bug kind=assertion
// heddle: check --order context-bounded --executions 2000
// expect: verdict=incomplete bugs=0
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 3, kElements = 3 };

static atomic_int next[kElements], owner[kElements];
static int rounds;
static atomic_int head, count = kElements;  // head: an index, and with FIXED a number above it

static int Index(int h) { return h & 0xff; }

static int Pop(void) {
  while (count > 1) {
    int top = head;
#ifdef FIXED
    int below = next[Index(top)];
    if (below >= 0 && atomic_compare_exchange_strong(&head, &top, below | ((top & ~0xff) + 0x100))) {
      atomic_fetch_sub(&count, 1);
      return Index(top);
    }
#else
    int below = atomic_exchange(&next[top], -1);
    if (below < 0) continue;
    int index = top;
    if (atomic_compare_exchange_strong(&head, &top, below)) {
      atomic_fetch_sub(&count, 1);
      return index;
    }
    atomic_exchange(&next[index], below);
#endif
  }
  return -1;
}

static void Push(int index) {
  int top = head;
  int self;
  do {
    next[index] = Index(top);
#ifdef FIXED
    self = index | ((top & ~0xff) + 0x100);
#else
    self = index;
#endif
  } while (!atomic_compare_exchange_strong(&head, &top, self));
  atomic_fetch_add(&count, 1);
}

static void *Run(void *arg) {
  int self = (int)(long)arg + 1;
  for (int i = 0; i < rounds; i++) {
    int index = Pop();
    if (index < 0) continue;
    owner[index] = self;
    assert(owner[index] == self);
    Push(index);
  }
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  rounds = argc > 1 ? 1 : 2;
  for (int i = 0; i < kElements; i++) next[i] = i + 1 < kElements ? i + 1 : -1;
  RunSame(kThreads, Run);
  if (argc == 1) return 0;
  int at = Index(head), seen = 0;
  for (int i = 0; i < kElements && at >= 0; i++) {
    seen |= 1 << at;
    at = next[at];
  }
  assert(seen == (1 << kElements) - 1 && at == -1);
}
