// Two threads push to a list; the first look at its head is relaxed, the compare-exchange releases.
// Graphs: either is first; the other's look sees the list empty, and it tries twice, or sees the first one's node: 4.
// heddle: check --memory-model c11
// expect: verdict=clean executions=4 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=4 complete=true
#include <atomic>

#include "run_threads.h"

struct Node {
  Node* next;
  int value;
};

static std::atomic<Node*> head;
static Node nodes[2];

static void* Push(void* arg) {
  const long me = reinterpret_cast<long>(arg);
  Node* node = &nodes[me];
  node->value = static_cast<int>(me) + 1;
  node->next = head.load(std::memory_order_relaxed);
  while (!head.compare_exchange_strong(node->next, node, std::memory_order_release, std::memory_order_relaxed)) continue;
  return nullptr;
}

int main() {
  RunSame(2, Push);
  int sum = 0;
  for (Node* node = head.load(std::memory_order_acquire); node != nullptr; node = node->next) sum += node->value;
  assert(sum == 3);
}
