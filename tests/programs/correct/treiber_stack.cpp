// A lock-free stack (Treiber 1986): two threads push, one pops, from an empty stack. The traces are
// what plain enumeration finds: 20, of which 6 need no preemption.
// compilers: gcc clang
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=580 happens_before=20 by_preemptions=6,16,20
// traces: 20 enumerated
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node *> next{nullptr};
  int value = 0;
};

static std::atomic<Node *> top{nullptr};
static Node nodes[2];

static void Push(Node *node, int value) {
  node->value = value;
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

int main() {
  Node *popped = nullptr;
  std::thread first([] { Push(&nodes[0], 1); });
  std::thread second([] { Push(&nodes[1], 2); });
  std::thread third([&] {
    popped = Pop();
    assert(!popped || popped->value == 1 || popped->value == 2);
  });
  first.join();
  second.join();
  third.join();
  int left = 0;
  while (Node *node = Pop()) {
    assert(node != popped);
    left++;
  }
  assert(left == (popped ? 1 : 2));
}
