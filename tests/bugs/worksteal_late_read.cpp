// A work-stealing deque of a fixed size whose slots are used again. A thief claims an item by compare-and-swap on `top_`
// and reads the slot afterwards.
// Interleaving: a thief claims slot 0 and is interrupted; the owner, who sees that slot 0 is free, pushes until the ring
// comes around to it; the thief reads the new item, which a second time is taken by whoever comes to it.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kSize = 2, kItems = 5;

static std::atomic<int> items[kSize];
static std::atomic<long> top, bottom;
static std::atomic<int> taken[kItems];

static bool Push(int item) {
  long at = bottom;
  if (at - top >= kSize) return false;
  items[at % kSize] = item;
  bottom = at + 1;
  return true;
}

static bool Pop(int *item) {
  long at = --bottom;
  long first = top;
  if (first > at) {
    bottom = at + 1;
    return false;
  }
  *item = items[at % kSize];
  if (first < at) return true;
  bool won = top.compare_exchange_strong(first, first + 1);
  bottom = at + 1;
  return won;
}

static bool Steal(int *item) {
  long first = top;
  if (first >= bottom) return false;
#ifdef FIXED
  *item = items[first % kSize];
  return top.compare_exchange_strong(first, first + 1);
#else
  if (!top.compare_exchange_strong(first, first + 1)) return false;
  *item = items[first % kSize];
  return true;
#endif
}

static void Done(int item) { assert(taken[item]++ == 0); }

int main() {
  std::thread owner([] {
    int item;
    for (int i = 0; i < kItems; i++) {
      while (!Push(i))
        if (Pop(&item)) Done(item);
    }
    while (Pop(&item)) Done(item);
  });
  std::thread thief([] {
    int item;
    for (int i = 0; i < 2; i++)
      if (Steal(&item)) Done(item);
  });
  owner.join(), thief.join();
  for (auto &count : taken) assert(count == 1);
}
