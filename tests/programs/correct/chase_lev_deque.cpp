// The work-stealing deque of Chase and Lev (2005): the owner pushes and takes two items at the
// bottom while a thief steals N times at the top; nobody gets an item twice. The traces are what
// plain enumeration finds.
// compilers: gcc clang
// heddle: check --order depth-first -- 1
// expect: verdict=clean complete=true executions=5315 happens_before=18
// expect: by_preemptions=2,10,13,18
// traces: 18 enumerated -- 1
// traces: 90 -- 2
// long traces: 90 enumerated -- 2
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

class Deque {
 public:
  void Push(int item) {
    int bottom = bottom_, top = top_;
    assert(bottom - top < kSize);
    items_[bottom % kSize] = item;
    bottom_ = bottom + 1;
  }

  // 0 if there is none.
  int Take() {
    int bottom = bottom_ - 1;
    bottom_ = bottom;
    int top = top_;
    if (top > bottom) {
      bottom_ = bottom + 1;
      return 0;
    }
    int item = items_[bottom % kSize];
    if (top < bottom) return item;
    if (!top_.compare_exchange_strong(top, top + 1)) item = 0;  // a thief was faster
    bottom_ = bottom + 1;
    return item;
  }

  // 0 if there is none, or if another was faster.
  int Steal() {
    int top = top_, bottom = bottom_;
    if (top >= bottom) return 0;
    int item = items_[top % kSize];
    return top_.compare_exchange_strong(top, top + 1) ? item : 0;
  }

 private:
  static constexpr int kSize = 4;
  std::atomic<int> top_{0}, bottom_{0}, items_[kSize] = {};
};

static Deque deque;
static int taken[3], stolen[3];

int main(int argc, char **argv) {
  assert(argc == 2);
  int steals = atoi(argv[1]);
  std::thread owner([] {
    deque.Push(1);
    deque.Push(2);
    for (int i = 0; i < 2; i++) taken[deque.Take()]++;
  });
  std::thread thief([steals] {
    for (int i = 0; i < steals; i++) stolen[deque.Steal()]++;
  });
  owner.join();
  thief.join();
  for (int left; (left = deque.Take()) != 0;) taken[left]++;
  for (int item = 1; item <= 2; item++) assert(taken[item] + stolen[item] == 1);
}
