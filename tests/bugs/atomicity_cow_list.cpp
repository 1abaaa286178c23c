// A copy-on-write list: to add is to copy the list, to append and to publish the copy. The copy is made from a snapshot, and published by a
// plain store in place of a compare-and-swap.
// Interleaving: two writers copy the same list, and one of the items is lost. Three writers of two items, so that the last item is seldom
// the lost one.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

static constexpr int kWriters = 3, kEach = 2, kMost = kWriters * kEach;

struct List {
  int size = 0;
  std::array<int, kMost> items{};
};

static List copies[64];
static std::atomic<int> made{1}, current{0};

static void Add(int item) {
  int fresh = made++;
  for (;;) {
    int old = current;
    copies[fresh] = copies[old];
    copies[fresh].items[copies[fresh].size++] = item;
#ifdef FIXED
    if (current.compare_exchange_strong(old, fresh)) return;
#else
    current = fresh;
    return;
#endif
  }
}

int main() {
  std::thread writers[kWriters];
  for (int i = 0; i < kWriters; i++)
    writers[i] = std::thread([i] {
      for (int k = 0; k < kEach; k++) Add(i * 10 + k);
    });
  for (auto &writer : writers) writer.join();
  assert(copies[current].size == kMost);
}
