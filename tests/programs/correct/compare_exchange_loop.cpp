// The usual compare-exchange loop, weak and strong, ends in every interleaving and loses nothing.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// Graphs: either thread exchanges first; the other one loaded before that, and tries twice, or after. 2 * 2 = 4.
// traces: 4 enumerated
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0};

static void AddWeak() {
  int old = x.load(std::memory_order_relaxed);
  while (!x.compare_exchange_weak(old, old + 1, std::memory_order_release,
                                  std::memory_order_relaxed)) {
  }
}

static void AddStrong() {
  int old = x;
  while (!x.compare_exchange_strong(old, old + 10)) {
  }
}

int main() {
  std::thread first(AddWeak), second(AddStrong);
  first.join();
  second.join();
  assert(x == 11);
}
