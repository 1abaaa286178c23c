// Locks that are queues (CLH, and MCS with argument 1). A thread waits for a node of its own or of the one before it, so
// every order in which they queue has waits that were not seen before; nothing is cut short because of that. CLH: one
// execution for each order of n exchanges, n!.
// opt: -O1 -O2   compilers: gcc clang   std: c++20
// traces: 2 enumerated -- 0 2
// traces: 6 -- 0 3
// traces: 24 -- 0 4
// traces: 6 enumerated -- 1 2
// heddle: check --reduction optimal -- 1 3
// expect: verdict=clean complete=true redundant=0
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

struct Node {
  std::atomic<Node *> next{nullptr};
  std::atomic<bool> locked{false};
};

static Node nodes[4], before_all;
static std::atomic<Node *> last{nullptr};
static int counter;

static void Clh(Node &mine) {
  mine.locked.store(true);
  Node *before = last.exchange(&mine);
  while (before->locked.load(std::memory_order_acquire)) {
  }
  ++counter;
  mine.locked.store(false, std::memory_order_release);
}

static void Mcs(Node &mine) {
  mine.locked.store(true);
  if (Node *before = last.exchange(&mine)) {
    before->next.store(&mine);
    while (mine.locked.load(std::memory_order_acquire)) {
    }
  }
  ++counter;
  if (mine.next.load() == nullptr) {
    Node *expected = &mine;
    if (last.compare_exchange_strong(expected, nullptr)) return;
    while (mine.next.load() == nullptr) {
    }
  }
  mine.next.load()->locked.store(false, std::memory_order_release);
}

int main(int argc, char **argv) {
  const bool mcs = argc > 1 && atoi(argv[1]) == 1;
  const int count = argc > 2 ? atoi(argv[2]) : 3;
  if (!mcs) last = &before_all;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([=] { mcs ? Mcs(nodes[i]) : Clh(nodes[i]); });
  for (std::thread &thread : threads) thread.join();
  assert(counter == count);
}
