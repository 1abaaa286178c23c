// Michael and Scott's queue (PODC'96) over a pool of nodes: pointers are an index and a count, and
// every thread takes nodes from a free list of its own and gives them back there, so blocks are used
// again. There is no data race, so scheduling points at plain accesses add no trace: what threads
// write beside each other (free lists, what they took out) are different bytes. Enumeration at
// synchronisation points is the judge of the numbers. The arguments say what each thread does:
// e enqueues, d dequeues.
// heddle: check -- ed d
// expect: verdict=clean complete=true executions=21
// traces: 4 enumerated -- e d
// traces: 4 --points all -- e d
// traces: 21 enumerated -- ed d
// traces: 21 --points all -- ed d
// traces: 67 --points all -- e d d
// traces: 222 --points all -- ed ed
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 4, kNodesEach = 2 };

typedef unsigned long Pointer;  // count and index; index 0 is no node

static unsigned Index(Pointer p) { return (unsigned)p; }
static Pointer To(unsigned index, Pointer replaced) { return ((replaced >> 32) + 1) << 32 | index; }

typedef struct {
  unsigned value;
  _Atomic Pointer next;
} Node;

static Node nodes[2 + kThreads * kNodesEach];
static _Atomic Pointer head, tail;
static unsigned free_lists[kThreads][kNodesEach];
static unsigned taken[kThreads];
static char found[kThreads];
static char **scripts;

static unsigned NewNode(long me) {
  for (int i = 0; i < kNodesEach; i++) {
    unsigned node = free_lists[me][i];
    if (node == 0) continue;
    free_lists[me][i] = 0;
    return node;
  }
  assert(!"no node left");
  return 0;
}

static void GiveBack(long me, unsigned node) {
  for (int i = 0; i < kNodesEach; i++) {
    if (free_lists[me][i] != 0) continue;
    free_lists[me][i] = node;
    return;
  }
}

static void Enqueue(long me, unsigned value) {
  unsigned node = NewNode(me);
  nodes[node].value = value;
  Pointer old = nodes[node].next;
  nodes[node].next = To(0, old);
  for (;;) {
    Pointer last = tail;
    Pointer next = nodes[Index(last)].next;
    if (last != tail) continue;
    if (Index(next) != 0) {
      atomic_compare_exchange_strong(&tail, &last, To(Index(next), last));
    } else if (atomic_compare_exchange_strong(&nodes[Index(last)].next, &next, To(node, next))) {
      atomic_compare_exchange_strong(&tail, &last, To(node, last));
      return;
    }
  }
}

static char Dequeue(long me, unsigned *value) {
  for (;;) {
    Pointer first = head;
    Pointer last = tail;
    Pointer next = nodes[Index(first)].next;
    if (first != head) continue;
    if (Index(first) == Index(last)) {
      if (Index(next) == 0) return 0;
      atomic_compare_exchange_strong(&tail, &last, To(Index(next), last));
    } else {
      *value = nodes[Index(next)].value;
      if (!atomic_compare_exchange_strong(&head, &first, To(Index(next), first))) continue;
      GiveBack(me, Index(first));
      return 1;
    }
  }
}

static void *Run(void *arg) {
  long me = (long)arg;
  for (const char *s = scripts[me]; *s != '\0'; s++) {
    if (*s == 'e')
      Enqueue(me, (unsigned)me + 1);
    else
      found[me] = Dequeue(me, &taken[me]);
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(1 < argc && argc <= 1 + kThreads);
  head = tail = 1;
  unsigned node = 2;
  for (int t = 0; t < kThreads; t++)
    for (int i = 0; i < kNodesEach; i++) free_lists[t][i] = node++;
  scripts = argv + 1;
  RunSame(argc - 1, Run);
}
