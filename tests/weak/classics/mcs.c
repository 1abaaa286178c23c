// The queue lock of Mellor-Crummey and Scott (1991). Who swaps itself into the tail publishes its node, and learns from
// who was there. Nodes are set up relaxed: what another thread stores there must not be overwritten, which would leave
// a thread waiting for ever: for a successor that has linked itself, or for a lock that was passed on. A reader of the tail
// that finds it free has to acquire what was done under the lock.
//
//                      sc   tso  c11
// - strong           : 6    6    6
// - SWAP=release     : race race race
// - SWAP=acquire     : 6    6    livelock
// - LINK=relaxed     : 6    6    livelock
// - SEE_LINK=relaxed : 6    6    livelock
// - PASS=relaxed     : race race race
// - SEE_PASS=relaxed : race race race
// - FREE=relaxed     : race race race
#include "classics.h"

#ifndef SWAP
#define SWAP acq_rel
#endif
#ifndef LINK
#define LINK release
#endif
#ifndef SEE_LINK
#define SEE_LINK acquire
#endif
#ifndef PASS
#define PASS release
#endif
#ifndef SEE_PASS
#define SEE_PASS acquire
#endif
#ifndef FREE
#define FREE release
#endif

typedef struct Node {
  _Atomic(struct Node*) next;
  atomic_int waits;
} Node;

static _Atomic(Node*) tail;
static Node nodes[2];
static int entered;

static void* Enter(void* arg) {
  Node* const node = &nodes[(long)arg];
  STORE(node->next, NULL, relaxed);
  STORE(node->waits, 1, relaxed);
  Node* const before = EXCHANGE(tail, node, SWAP);
  if (before != NULL) {
    STORE(before->next, node, LINK);
    while (LOAD(node->waits, SEE_PASS)) continue;
  }
  entered++;
  Node *next = LOAD(node->next, SEE_LINK), *last = node;
  if (next == NULL) {
    if (CAS(tail, &last, NULL, FREE, relaxed)) return NULL;
    while ((next = LOAD(node->next, SEE_LINK)) == NULL) continue;
  }
  STORE(next->waits, 0, PASS);
  return NULL;
}

int main(void) {
  RunThreads(2, (Body[]){Enter, Enter});
  assert(entered == 2);
}
