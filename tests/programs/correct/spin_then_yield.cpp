// A lock that spins for twenty rounds and then yields, for ever: its inner loop counts, its outer loop does not, and both end.
// opt: -O2   compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// No number of graphs is stated: how many rounds are told apart before the loops are known to count, or to wait, is a
// matter of when that is noticed (docs/algorithms/spinning.md).
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> taken{0};
static int x;

static void Lock() {
  for (;;) {
    for (int i = 0; i < 20; i++) {
      if (taken.load(std::memory_order_relaxed) == 0 && taken.exchange(1, std::memory_order_acquire) == 0) return;
    }
    std::this_thread::yield();
  }
}

static void Add() {
  Lock();
  x++;
  taken.store(0, std::memory_order_release);
}

int main() {
  std::thread first(Add), second(Add);
  first.join();
  second.join();
  assert(x == 2);
}
