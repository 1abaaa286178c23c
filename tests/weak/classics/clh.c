// The queue lock of Craig, Landin and Hagersten (1993): a thread waits at the node of the one before it. That has said that it
// is there, relaxed, before it swaps itself into the tail: the swap releases and acquires that, else the one behind it sees
// the node as it was before, free.
//
//                      sc   tso  c11
// - strong           : 2    2    2
// - SWAP=release     : 2    2    race
// - SWAP=acquire     : 2    2    race
// - SWAP=relaxed     : 2    2    race
// - PASS=relaxed     : race race race
// - SEE_PASS=relaxed : race race race
// - THREADS=3        : -    -    -
#include "classics.h"

#ifndef SWAP
#define SWAP acq_rel
#endif
#ifndef PASS
#define PASS release
#endif
#ifndef SEE_PASS
#define SEE_PASS acquire
#endif
#ifndef THREADS
#define THREADS 2
#endif

typedef struct {
  atomic_int busy;
} Node;

static Node nodes[1 + THREADS];
static _Atomic(Node*) tail = &nodes[THREADS];
static int entered;

static void* Enter(void* arg) {
  Node* const node = &nodes[(long)arg];
  STORE(node->busy, 1, relaxed);
  Node* const before = EXCHANGE(tail, node, SWAP);
  while (LOAD(before->busy, SEE_PASS)) continue;
  entered++;
  STORE(node->busy, 0, PASS);
  return NULL;
}

int main(void) {
  RunThreads(THREADS, (Body[]){Enter, Enter, Enter});
  assert(entered == THREADS);
}
