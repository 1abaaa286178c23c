// A lock-free stack (Treiber 1986) whose compare-exchange, loads and stores are asm statements, as
// in Concurrency Kit, beside the same in C11. Two threads push, one pops: the same traces.
// compilers: gcc clang   opt: -O0 -O1 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=580 happens_before=20 by_preemptions=6,16,20
// heddle: check --order depth-first -- atomics
// expect: verdict=clean complete=true executions=580 happens_before=20 by_preemptions=6,16,20
// traces: 20 enumerated
// traces: 20 -- atomics
#include <stdatomic.h>
#include <stddef.h>

#include "run_threads.h"

typedef struct Node Node;
struct Node {
  Node *_Atomic next;
  int value;
};

static Node *_Atomic top;
static Node nodes[2];
static Node *popped;
static int use_atomics;

static Node *Load(Node *_Atomic *from) {
  if (use_atomics) return *from;
  Node *value;
  __asm__ volatile("movq %1, %0" : "=q"(value) : "m"(*from) : "memory");
  return value;
}

static void Store(Node *_Atomic *to, Node *value) {
  if (use_atomics)
    *to = value;
  else
    __asm__ volatile("movq %1, %0" : "=m"(*to) : "q"(value) : "memory");
}

static int CompareExchange(Node *_Atomic *at, Node **expected, Node *desired) {
  if (use_atomics) return atomic_compare_exchange_strong(at, expected, desired);
  char done;
  __asm__ volatile("lock cmpxchgq %3, %0; setz %1"
                   : "+m"(*at), "=r"(done), "+a"(*expected)
                   : "q"(desired)
                   : "memory", "cc");
  return done;
}

static void *Push(void *arg) {
  Node *node = &nodes[(long)arg];
  node->value = (int)(long)arg + 1;
  Node *old = Load(&top);
  do Store(&node->next, old);
  while (!CompareExchange(&top, &old, node));
  return NULL;
}

static Node *PopNode(void) {
  Node *old = Load(&top);
  while (old && !CompareExchange(&top, &old, Load(&old->next))) {
  }
  return old;
}

static void *Pop(void *arg) {
  popped = PopNode();
  assert(!popped || popped->value == 1 || popped->value == 2);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  use_atomics = argc > 1;
  const Body bodies[] = {Push, Push, Pop};
  RunThreads(3, bodies);
  int left = 0;
  for (Node *node; (node = PopNode()) != NULL;) {
    assert(node != popped);
    left++;
  }
  assert(left == (popped ? 1 : 2));
}
