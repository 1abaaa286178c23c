// Michael's and Scott's queue (PODC 1996), without reclamation. Who links a node publishes it, and so does who moves the tail
// or the head to it: the one that comes next touches the node's `next`. That is poisoned until its owner clears it, relaxed,
// so that who comes too early is no data race, but on the wrong way. A head that is seen without what the thread that moved it
// knew leads past a stale tail, to where no node follows.
// THREADS: 1 an enqueuer and a dequeuer; 2 two enqueuers; 3 an enqueuer and two dequeuers; 4 three enqueuers.
//
//                                sc   tso  c11
// - THREADS=1                  : 4    4    4
// - THREADS=1,LINK=relaxed     : race race race
// - THREADS=1,SEE_NEXT=relaxed : race race race
// - THREADS=2                  : -    -    -
// - THREADS=2,SWING=relaxed    : -    -    assertion
// - THREADS=2,SEE_TAIL=relaxed : -    -    assertion
// - THREADS=2,HELP=relaxed     : -    -    -
// - THREADS=3                  : -    -    -
// - THREADS=3,MOVE=relaxed     : 39   39   assertion
// - THREADS=3,SEE_HEAD=relaxed : 39   39   assertion
// - THREADS=4                  : -    -    -
// - THREADS=4,HELP=relaxed     : -    -    assertion
#include "classics.h"

#ifndef LINK
#define LINK release
#endif
#ifndef SWING
#define SWING release
#endif
#ifndef HELP
#define HELP release
#endif
#ifndef MOVE
#define MOVE release
#endif
#ifndef SEE_NEXT
#define SEE_NEXT acquire
#endif
#ifndef SEE_TAIL
#define SEE_TAIL acquire
#endif
#ifndef SEE_HEAD
#define SEE_HEAD acquire
#endif

typedef struct Node {
  _Atomic(struct Node*) next;
  int value;
} Node;

static Node poison, dummy, nodes[3] = {{&poison, 0}, {&poison, 0}, {&poison, 0}};
static _Atomic(Node*) head = &dummy, tail = &dummy;

static void* Enqueue(void* arg) {
  Node* const node = &nodes[(long)arg];
  node->value = (int)(long)arg + 1;
  STORE(node->next, NULL, relaxed);
  for (;;) {
    Node* last = LOAD(tail, SEE_TAIL);
    Node* next = LOAD(last->next, SEE_NEXT);
    assert(next != &poison);
    if (next != NULL) {
      CAS(tail, &last, next, HELP, relaxed);
    } else if (CAS(last->next, &next, node, LINK, relaxed)) {
      CAS(tail, &last, node, SWING, relaxed);
      return NULL;
    }
  }
}

static inline int Dequeue(void) {
  for (;;) {
    Node* first = LOAD(head, SEE_HEAD);
    Node* last = LOAD(tail, SEE_TAIL);
    Node* next = LOAD(first->next, SEE_NEXT);
    assert(next != &poison);
    if (first == last) {
      if (next == NULL) return 0;
      CAS(tail, &last, next, HELP, relaxed);
    } else {
      assert(next != NULL);
      const int value = next->value;
      if (CAS(head, &first, next, MOVE, relaxed)) return value;
    }
  }
}

static int got[3];

static inline void* DequeueOne(void* arg) {
  got[(long)arg] = Dequeue();
  return NULL;
}

int main(void) {
#if THREADS == 1
  RunThreads(2, (Body[]){Enqueue, DequeueOne});
#elif THREADS == 2
  RunThreads(2, (Body[]){Enqueue, Enqueue});
#elif THREADS == 3
  RunThreads(3, (Body[]){Enqueue, DequeueOne, DequeueOne});
#else
  RunThreads(3, (Body[]){Enqueue, Enqueue, Enqueue});
#endif
  assert(got[1] == 0 || got[1] != got[2]);
}
