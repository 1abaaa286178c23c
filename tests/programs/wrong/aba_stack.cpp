// A lock-free stack that reuses its nodes: pop reads top and next, sleeps, and its compare-
// exchange succeeds on a top that has been away and come back (ABA). One preemption: a popped
// node is handed out twice.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: traces.py derives 25.
// traces: 25 --keep-going
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node *> next{nullptr};
  std::atomic<int> owners{0};
};

static Node nodes[3];
static std::atomic<Node *> top{nullptr};

static void Push(Node *node) {
  Node *old = top;
  do node->next = old;
  while (!top.compare_exchange_strong(old, node));
}

static Node *Pop() {
  Node *old = top;
  while (old && !top.compare_exchange_strong(old, old->next)) {
  }
  return old;
}

static void Take() {
  if (Node *mine = Pop()) assert(mine->owners++ == 0);
}

static void TakeTwoGiveBackOne() {
  Node *first = Pop(), *second = Pop();
  if (second) assert(second->owners++ == 0);
  if (first) Push(first);
}

int main() {
  for (Node &node : nodes) Push(&node);
  std::thread reader(Take), changer(TakeTwoGiveBackOne);
  reader.join();
  changer.join();
  Take();
  Take();
}
