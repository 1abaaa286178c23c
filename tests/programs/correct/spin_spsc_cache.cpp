// A ring between one producer and one consumer whose ends keep a copy of the other's index (rigtorp's SPSCQueue), and its
// twin that looks every time (argument 1): both are explored to the end.
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --memory-model sc -- 1
// expect: verdict=clean complete=true
// heddle: check -- 1
// expect: verdict=clean complete=true
// Graphs: the two ends take turns, and each waits for the other in rounds of two reads, which are not in vain. Before the
// third round a thread is known to wait, so 0 to 2 of them fail (docs/algorithms/spinning.md): when the producer waits for the
// first item to be taken, and when the consumer waits for the second. When main waits for the first item, it is first looked
// for where it created the thread, and in the fifth round where it reads: 0 to 6 fail. 7 * 3 * 3 = 63, with the copies, too,
// because whoever fails has looked. By enumeration these are more than 50,000 executions.
// traces: 63
// traces: 63 -- 1
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
