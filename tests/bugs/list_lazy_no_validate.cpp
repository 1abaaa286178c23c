// A sorted list with a lock for each node. `Remove` and `Insert` find two neighbours without locks, lock both, and must look again that
// both are still in the list and neighbours; this one looks only that they are neighbours.
// Interleaving: an insert has found (a, c); another thread removes a; the insert locks, sees that a is still linked to c, and hangs its
// node to the removed a: lost.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Node {
  int key;
  std::atomic<Node *> next;
  std::atomic<bool> removed{false};
  std::mutex mutex;
  Node(int k, Node *n) : key(k), next(n) {}
};

static Node last(100, nullptr), thirty(30, &last), twenty(20, &thirty), ten(10, &twenty), head(0, &ten);

static void Find(int key, Node **before, Node **at) {
  *before = &head;
  *at = head.next;
  while ((*at)->key < key) {
    *before = *at;
    *at = (*at)->next;
  }
}

static bool Valid(Node *before, Node *at) {
#ifdef FIXED
  if (before->removed || at->removed) return false;
#endif
  return before->next == at;
}

static bool Insert(Node *node) {
  for (;;) {
    Node *before, *at;
    Find(node->key, &before, &at);
    std::lock_guard<std::mutex> first(before->mutex), second(at->mutex);
    if (!Valid(before, at)) continue;
    node->next = at;
    before->next = node;
    return true;
  }
}

static bool Remove(int key) {
  for (;;) {
    Node *before, *at;
    Find(key, &before, &at);
    std::lock_guard<std::mutex> first(before->mutex), second(at->mutex);
    if (!Valid(before, at)) continue;
    if (at->key != key) return false;
    at->removed = true;
    before->next = at->next.load();
    return true;
  }
}

static bool Contains(int key) {
  Node *before, *at;
  Find(key, &before, &at);
  return at->key == key;
}

int main() {
  static Node fifteen(15, nullptr), five(5, nullptr);
  std::thread a([] { Insert(&fifteen); });
  std::thread b([] { Remove(20); });
  std::thread c([] { Remove(10), Insert(&five); });
  a.join(), b.join(), c.join();
  assert(Contains(15) && Contains(5) && !Contains(10) && !Contains(20));
}
