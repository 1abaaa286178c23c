// A bounded queue for several producers and consumers. A producer looks whether there is room, then claims a position by
// fetch_add: two producers can pass the look when there is room for one.
// Interleaving: both producers see one free slot; both claim; the second one writes over an item that nobody has taken.
// Right: the claim is a compare-and-swap of the position that was looked at, and each slot has a sequence number.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kSize = 2, kProducers = 2, kEach = 2;

struct Slot {
  std::atomic<unsigned> sequence{0};
  std::atomic<int> item{0};
};

static Slot slots[kSize];
static std::atomic<unsigned> head, tail;
static std::atomic<int> sent, received;

static bool Put(int item) {
#ifdef FIXED
  unsigned at = tail;
  for (;;) {
    Slot &slot = slots[at % kSize];
    int lead = int(slot.sequence - at);
    if (lead < 0) return false;
    if (lead == 0 && tail.compare_exchange_strong(at, at + 1)) {
      slot.item = item;
      slot.sequence = at + 1;
      return true;
    }
    if (lead > 0) at = tail;
  }
#else
  if (tail - head >= unsigned(kSize)) return false;
  unsigned at = tail++;
  slots[at % kSize].item = item;
  slots[at % kSize].sequence = at + 1;
  return true;
#endif
}

static bool Get(int *item) {
  unsigned at = head;
  Slot &slot = slots[at % kSize];
  if (slot.sequence != at + 1) return false;
  *item = slot.item;
  slot.sequence = at + kSize;
  head = at + 1;
  return true;
}

int main() {
  for (unsigned i = 0; i < unsigned(kSize); i++) slots[i].sequence = i;
  auto produce = [](int base) {
    for (int i = 0; i < kEach; i++)
      if (Put(base + i)) sent += base + i;
  };
  std::thread first(produce, 1), second(produce, 10);
  std::thread consumer([] {
    int item;
    for (int i = 0; i < 2; i++)
      if (Get(&item)) received += item;
  });
  first.join(), second.join(), consumer.join();
  for (int item; Get(&item);) received += item;
  assert(sent == received);
}
