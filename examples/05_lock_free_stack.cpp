// A lock-free stack that reuses its nodes falls to the ABA problem: pop reads the top and its
// successor, is interrupted, and its compare-exchange succeeds because the same node is on top
// again, over another successor.
//
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@twice
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> in_use{false};
};

static Node nodes[3];
static std::atomic<Node*> free_list{nullptr};

static void Release(Node* node) {
  node->in_use = false;
  Node* old = free_list;
  do {
    node->next = old;
  } while (!free_list.compare_exchange_weak(old, node));
}

static Node* Acquire() {
  Node* node = free_list;
  while (node && !free_list.compare_exchange_weak(node, node->next)) {
  }
  if (node) assert(!node->in_use.exchange(true));  // @twice
  return node;
}

int main() {
  for (Node& node : nodes) Release(&node);
  std::thread one([] { Acquire(); });
  std::thread other([] {
    Node* first = Acquire();
    Acquire();
    if (first) Release(first);
  });
  one.join();
  other.join();
  Acquire();
}
