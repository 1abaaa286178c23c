// Michael and Scott's queue. An enqueuer links its node, then swings the tail; whoever finds the tail behind must help. Here
// a dequeuer does not look at the tail at all, so that it can move the head past it, and the node at the tail goes back to
// the free list while the tail still points to it.
// Interleaving: the enqueuer has linked its node and not swung the tail; the dequeuer takes the node and frees the one
// before it, to which the tail points.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kNodes = 6, kNone = 99;

struct Node {
  std::atomic<int> value{0}, next{kNone};
};

static Node nodes[kNodes];
static std::atomic<int> head, tail, made{1};

static int NewNode(int value) {
  int node = made++;
  nodes[node].value = value;
  return node;
}

static void Enqueue(int value) {
  int node = NewNode(value);
  for (;;) {
    int last = tail, none = kNone;
    if (nodes[last].next.compare_exchange_strong(none, node)) {
      tail.compare_exchange_strong(last, node);
      return;
    }
    tail.compare_exchange_strong(last, none);
  }
}

// One thread dequeues.
static bool Dequeue(int *value) {
  int first = head;
  int next = nodes[first].next;
  if (next == kNone) return false;
#ifdef FIXED
  if (int last = tail; last == first) tail.compare_exchange_strong(last, next);
#endif
  *value = nodes[next].value;
  head = next;
  assert(tail != first);  // or the next enqueuer touches what is free
  return true;
}

int main() {
  std::thread first([] { Enqueue(1), Enqueue(2); });
  std::thread second([] { Enqueue(3); });
  std::thread consumer([] {
    for (int i = 0, value; i < 2; i++) Dequeue(&value);
  });
  first.join(), second.join(), consumer.join();
}
