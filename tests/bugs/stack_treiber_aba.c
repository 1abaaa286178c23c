// A Treiber stack of nodes that come back: what is popped is pushed again after use.
// Interleaving (ABA): thread 0 pops, and has read head A and its next B; thread 1 pops A, pops B, pushes A; the
// compare-and-swap of thread 0 succeeds and makes B the head, which thread 1 still owns: the next pop takes B a second time.
// Right: the head carries a number that every change increments.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kNodes = 3, kNone = 0xff };

static atomic_int head = 0, next[kNodes], used[kNodes];

static int Index(int h) { return h & 0xff; }
static int Made(int index, int old) {
#ifdef FIXED
  return index | ((old & ~0xff) + 0x100);
#else
  (void)old;
  return index;
#endif
}

static int Pop(void) {
  int top = head;
  while (Index(top) != kNone) {
    int below = next[Index(top)];
    if (atomic_compare_exchange_strong(&head, &top, Made(below, top))) {
      int index = Index(top);
      assert(atomic_exchange(&used[index], 1) == 0);
      return index;
    }
  }
  return kNone;
}

static void Push(int index) {
  used[index] = 0;
  int top = head;
  do next[index] = Index(top);
  while (!atomic_compare_exchange_strong(&head, &top, Made(index, top)));
}

static void *One(void *arg) {
  int a = Pop();
  int b = Pop();
  if (b != kNone) Push(b);
  if (a != kNone) Push(a);
  return arg;
}

static void *Two(void *arg) {
  int a = Pop();
  int b = Pop();
  if (a != kNone) Push(a);
  if (b != kNone) Push(b);
  return arg;
}

int main() {
  for (int i = 0; i < kNodes; i++) next[i] = i + 1 < kNodes ? i + 1 : kNone;
  RunThreads(2, (Body[]){One, Two});
}
