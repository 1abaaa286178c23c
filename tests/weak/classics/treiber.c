// Treiber's stack (1986): one thread pushes two nodes, another one pops one, by a loop that takes the new top from the
// failed exchange. What a pop publishes is of a push, whose release sequence goes on through it: it may be relaxed.
//
//                   sc   tso  c11
// - strong        : 5    5    5
// - PUSH=relaxed  : race race race
// - PUSH=acquire  : race race race
// - LOOK=relaxed  : race race race
// - AGAIN=relaxed : race race race
// - POP=relaxed   : 5    5    5
// - TWO_POP=1     : 41   41   41
#include "classics.h"

#ifndef PUSH
#define PUSH release
#endif
#ifndef LOOK
#define LOOK acquire
#endif
#ifndef AGAIN
#define AGAIN acquire
#endif
#ifndef POP
#define POP acquire
#endif

typedef struct Node {
  struct Node* next;
  int value;
} Node;

static _Atomic(Node*) top;
static Node nodes[2];

static void Push(Node* node, int value) {
  node->value = value;
  node->next = LOAD(top, relaxed);
  while (!CAS(top, &node->next, node, PUSH, relaxed)) continue;
}

static int Pop(void) {
  Node* node = LOAD(top, LOOK);
  while (node != NULL && !CAS(top, &node, node->next, POP, AGAIN)) continue;
  return node == NULL ? 0 : node->value;
}

static void* PushTwo(void* unused) {
  Push(&nodes[0], 1);
  Push(&nodes[1], 2);
  return unused;
}

static int popped[2];

static void* PopOne(void* arg) {
  popped[(long)arg - 1] = Pop();
  return arg;
}

int main(void) {
#ifdef TWO_POP
  RunThreads(3, (Body[]){PushTwo, PopOne, PopOne});
#else
  RunThreads(2, (Body[]){PushTwo, PopOne});
#endif
  assert(popped[0] == 0 || popped[0] != popped[1]);
}
