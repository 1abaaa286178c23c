// A Chase-Lev work-stealing deque. The owner takes the last item without the compare-and-swap on `top_` by which a thief
// would take it.
// Interleaving: the thief has read `top_`, `bottom_` and the item; the owner takes that item as its last one and returns;
// the thief's compare-and-swap succeeds, because nobody has moved `top_`.
// With four items and two thieves there are many interleavings in which somebody else gets the last item.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

class Deque {
 public:
  void Push(int item) {
    long bottom = bottom_;
    items_[bottom % kSize] = item;
    bottom_ = bottom + 1;
  }
  bool Pop(int *item) {
    long bottom = --bottom_;
    long top = top_;
    if (top > bottom) {
      bottom_ = bottom + 1;
      return false;
    }
    *item = items_[bottom % kSize];
    if (top < bottom) return true;
#ifdef FIXED
    bool won = top_.compare_exchange_strong(top, top + 1);
    bottom_ = bottom + 1;
    return won;
#else
    bottom_ = bottom;
    return true;
#endif
  }
  bool Steal(int *item) {
    long top = top_;
    if (top >= bottom_) return false;
    *item = items_[top % kSize];
    return top_.compare_exchange_strong(top, top + 1);
  }

 private:
  static constexpr int kSize = 8;
  std::atomic<int> items_[kSize] = {};
  std::atomic<long> top_{0}, bottom_{0};
};

static constexpr int kItems = 4;
static Deque deque;
static std::atomic<int> taken[kItems];

static void Done(int item) { assert(taken[item]++ == 0); }

int main() {
  for (int i = 0; i < 2; i++) deque.Push(i);
  auto steal = [] {
    for (int attempt = 0, item; attempt < 2; attempt++)
      if (deque.Steal(&item)) Done(item);
  };
  std::thread owner([] {
    int item;
    for (int i = 2; i < kItems; i++) deque.Push(i);
    while (deque.Pop(&item)) Done(item);
  });
  std::thread first(steal), second(steal);
  owner.join(), first.join(), second.join();
}
