// A free list whose head carries a tag against ABA, of two bits: after four changes it is the same again.
// Interleaving: thread 0 takes a block, and has read the head (block 0, tag 0) and the block after it; thread 1 takes and
// gives back until the head is block 0 with tag 0 again, but another block comes after it. One preemption suffices, and it must
// last for twelve operations of the other thread.
// Right: a tag of 16 bits.
// bug: preemptions=1 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kBlocks = 4, kEnd = 15 };

static atomic_uint head, next[kBlocks], taken[kBlocks];

static unsigned Tagged(unsigned block, unsigned old) {
#ifdef FIXED
  return block | ((old & ~15u) + 16);
#else
  return block | (((old & ~15u) + 16) & 63);
#endif
}

static unsigned Take(void) {
  unsigned old = head, block;
  do {
    block = old & 15;
    if (block == kEnd) return kEnd;
  } while (!atomic_compare_exchange_strong(&head, &old, Tagged(next[block], old)));
  assert(atomic_exchange(&taken[block], 1) == 0);
  return block;
}

static void Give(unsigned block) {
  taken[block] = 0;
  unsigned old = head;
  do next[block] = old & 15;
  while (!atomic_compare_exchange_strong(&head, &old, Tagged(block, old)));
}

static void *Once(void *arg) {
  unsigned a = Take(), b = Take();
  if (b != kEnd) Give(b);
  if (a != kEnd) Give(a);
  return arg;
}

// Keeps the second block for itself: three taken, one given back.
static void *Rotate(void *arg) {
  unsigned a = Take();
  unsigned b = Take();
  unsigned c = Take();
  (void)b, (void)c;
  if (a != kEnd) Give(a);
  return arg;
}

int main() {
  for (int i = 0; i < kBlocks; i++) next[i] = i + 1 < kBlocks ? i + 1 : kEnd;
  RunThreads(2, (Body[]){Once, Rotate});
}
