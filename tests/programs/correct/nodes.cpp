// Maps, sets and lists do what they are for: all that the C++ library does with their nodes, on some thousand trees that insertions
// and removals in a random order make, each compared with a sorted vector, and looked at for what a red-black tree has to be.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --no-races
// expect: verdict=clean complete=true executions=1
// heddle: check --uninitialised --leaks
// expect: verdict=clean complete=true executions=1
// Two threads that insert into one map under a lock: which comes first, 2.
// heddle: check -- threads
// expect: verdict=clean complete=true executions=2
// heddle: check --reduction optimal --order depth-first -- threads
// expect: verdict=clean complete=true executions=2
#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

static unsigned state = 1;
static unsigned Random(unsigned below) {
  state = state * 1664525 + 1013904223;
  return (state >> 16) % below;
}

// As the library's ABI has it.
struct Node {
  int colour;
  Node *parent, *left, *right;
};

// How many black nodes are on each way down.
static int BlackHeight(const Node* node) {
  if (node == nullptr) return 1;
  const bool red = node->colour == 0;
  for (const Node* child : {node->left, node->right})
    if (child != nullptr) assert(child->parent == node && !(red && child->colour == 0));
  const int height = BlackHeight(node->left);
  assert(height == BlackHeight(node->right));
  return height + (red ? 0 : 1);
}

static void LookAt(const std::set<int>& tree, std::vector<int> wanted) {
  std::sort(wanted.begin(), wanted.end());
  assert(tree.size() == wanted.size());
  assert(std::equal(tree.begin(), tree.end(), wanted.begin()));
  assert(std::equal(tree.rbegin(), tree.rend(), wanted.rbegin()));
  const Node* const header = (const Node*)tree.end()._M_node;
  const Node* const root = header->parent;
  if (root == nullptr) return assert(header->left == header && header->right == header);
  assert(root->parent == header && root->colour == 1);
  BlackHeight(root);
}

static void Trees() {
  for (int round = 0; round < 40; ++round) {
    std::set<int> tree;
    std::vector<int> all;
    const unsigned most = 1 + Random(30);
    for (int step = 0; step < 60; ++step) {
      const int number = (int)Random(2 * most);
      const auto at = std::find(all.begin(), all.end(), number);
      if (at != all.end() || all.size() == most) {
        const auto gone = at != all.end() ? at : all.begin() + Random(most);
        tree.erase(tree.find(*gone));
        all.erase(gone);
      } else {
        tree.insert(number);
        all.push_back(number);
      }
      LookAt(tree, all);
    }
    while (!all.empty()) {
      tree.erase(all.back());
      all.pop_back();
      LookAt(tree, all);
    }
  }
}

static void Lists() {
  std::list<int> a = {3, 1, 2}, b, c = {9};
  a.reverse();
  assert((a == std::list<int>{2, 1, 3}));
  a.sort();
  a.swap(b);
  assert(a.empty() && (b == std::list<int>{1, 2, 3}));
  b.swap(c);
  b.splice(b.begin(), c);
  assert((b == std::list<int>{1, 2, 3, 9}) && c.empty());
  b.splice(b.end(), b, b.begin());
  b.erase(std::find(b.begin(), b.end(), 3));
  assert((b == std::list<int>{2, 9, 1}));
  a.swap(c);
  a.insert(a.end(), {4, 5});
  b.merge(a);
  assert((b == std::list<int>{2, 4, 5, 9, 1}) && a.empty());
}

static std::mutex mutex;
static std::map<int, int> shared;

static void Insert(int from) {
  std::lock_guard<std::mutex> lock(mutex);
  for (int i = from; i < from + 4; ++i) shared[i] = i;
}

int main(int argc, char**) {
  if (argc == 1) {
    Trees();
    Lists();
    return 0;
  }
  std::thread thread(Insert, 0);
  Insert(4);
  thread.join();
  int next = 0;
  for (const auto& [key, value] : shared) assert(key == next++ && value == key);
  assert(next == 8);
}
