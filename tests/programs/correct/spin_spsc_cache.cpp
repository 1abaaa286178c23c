// A ring between one producer and one consumer whose ends keep a copy of the other's index (rigtorp's SPSCQueue), and its
// twin that looks every time (argument 1): both are explored to the end.
// heddle: check
// expect: verdict=clean complete=true
// heddle: check -- 1
// expect: verdict=clean complete=true
// No number of graphs is stated: a round reads two objects and so is no round in vain; how many are made before the
// thread is known to wait is a matter of when that is noticed (docs/algorithms/spinning.md).
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned kSlots = 2;  // one of them stays empty

template <bool kCached>
struct Ring {
  int slots[kSlots];
  std::atomic<unsigned> head{0}, tail{0};
  unsigned head_seen = 0, tail_seen = 0;

  bool TryPush(int item) {
    const unsigned at = tail.load(std::memory_order_relaxed);
    const unsigned next = (at + 1) % kSlots;
    if (kCached) {
      if (next == head_seen && next == (head_seen = head.load(std::memory_order_acquire))) return false;
    } else if (next == head.load(std::memory_order_acquire)) {
      return false;
    }
    slots[at] = item;
    tail.store(next, std::memory_order_release);
    return true;
  }

  bool TryPop(int &item) {
    const unsigned at = head.load(std::memory_order_relaxed);
    if (kCached) {
      if (at == tail_seen && at == (tail_seen = tail.load(std::memory_order_acquire))) return false;
    } else if (at == tail.load(std::memory_order_acquire)) {
      return false;
    }
    item = slots[at];
    head.store((at + 1) % kSlots, std::memory_order_release);
    return true;
  }
};

template <bool kCached>
void Run() {
  static Ring<kCached> ring;
  std::thread producer([] {
    for (int i = 1; i <= 2; i++)
      while (!ring.TryPush(i)) {
      }
  });
  for (int i = 1; i <= 2; i++) {
    int item;
    while (!ring.TryPop(item)) {
    }
    assert(item == i);
  }
  producer.join();
}

int main(int argc, char **) { argc == 1 ? Run<true>() : Run<false>(); }
