// A lock-free stack (Treiber 1986): n threads, each pushes and pops once.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

struct Node {
  std::atomic<Node*> next{nullptr};
};

static std::atomic<Node*> top{nullptr};

static void Push(Node* node) {
  Node* old = top;
  do node->next = old;
  while (!top.compare_exchange_strong(old, node));
}

static void Pop() {
  Node* old = top;
  while (old && !top.compare_exchange_strong(old, old->next)) {
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<Node> nodes(count);
  std::vector<std::thread> threads;
  for (Node& node : nodes) {
    threads.emplace_back([&node] {
      Push(&node);
      Pop();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
