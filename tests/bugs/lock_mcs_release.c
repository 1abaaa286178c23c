// An MCS lock: waiters form a list, each spins on a flag of its own. Who releases and sees no successor, sets the tail to free by
// compare-and-swap; if that fails somebody has just come, and the link to him must be awaited. This one leaves instead.
// Interleaving: a waiter has exchanged the tail and not linked itself yet; the holder sees no successor, fails to free the tail, and
// leaves; the waiter spins for ever.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=livelock
// fixed: check --order random --executions 1800
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>
#include <stddef.h>

#include "run_threads.h"

enum { kThreads = 3, kRounds = 2 };

typedef struct Node {
  _Atomic(struct Node *) next;
  atomic_int wait;
} Node;

static _Atomic(Node *) tail;
static int counter;

static void Lock(Node *self) {
  self->next = NULL;
  self->wait = 1;
  Node *before = atomic_exchange(&tail, self);
  if (!before) return;
  before->next = self;
  while (self->wait) {
  }
}

static void Unlock(Node *self) {
  Node *after = self->next;
  if (!after) {
    Node *mine = self;
    if (atomic_compare_exchange_strong(&tail, &mine, NULL)) return;
#ifdef FIXED
    while (!(after = self->next)) {
    }
#else
    after = self->next;
    if (!after) return;
#endif
  }
  after->wait = 0;
}

static void *Run(void *arg) {
  static Node nodes[kThreads];
  for (int i = 0; i < kRounds; i++) {
    Lock(&nodes[(long)arg]);
    counter++;
    Unlock(&nodes[(long)arg]);
  }
  return 0;
}

int main() {
  RunSame(kThreads, Run);
  assert(counter == kThreads * kRounds);
}
