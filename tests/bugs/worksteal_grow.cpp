// A Chase-Lev deque that grows. When the array is full the owner copies the items to a larger one and keeps the small one
// for the next deque, which begins to fill it at once.
// Interleaving: a thief has read `top` and the pointer to the small array; the owner grows the deque, and the small array
// is filled by the other deque; the thief reads a foreign item there, and its compare-and-swap succeeds.
// Right: the small array is kept until no thief can be reading it (here: until the end).
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <thread>

struct Array {
  int size;
  std::atomic<int> items[8];
};

struct Deque {
  std::atomic<Array *> array{nullptr};
  std::atomic<long> top{0}, bottom{0};
};

static constexpr int kItems = 5, kForeign = 100;
static Array small{2, {}}, large{8, {}}, spare{2, {}};
static Deque mine, other;
static std::atomic<int> taken[kItems];

static Array *Grow(Deque &deque, long top, long bottom) {
  Array *from = deque.array;
  for (long i = top; i < bottom; i++) large.items[i % large.size] = from->items[i % from->size].load();
  deque.array = &large;
  return from;
}

static void PushTo(Deque &deque, int item) {
  long bottom = deque.bottom, top = deque.top;
  Array *array = deque.array;
  if (bottom - top == array->size) {
    Array *old = Grow(deque, top, bottom);
    array = deque.array;
#ifdef FIXED
    old = &spare;
#endif
    for (int i = 0; i < 2; i++) old->items[i] = kForeign + i;
    other.array = old;
  }
  array->items[bottom % array->size] = item;
  deque.bottom = bottom + 1;
}

static bool Steal(Deque &deque, int *item) {
  long top = deque.top;
  if (top >= deque.bottom) return false;
  Array *array = deque.array;
  *item = array->items[top % array->size];
  return deque.top.compare_exchange_strong(top, top + 1);
}

int main() {
  mine.array = &small;
  std::thread owner([] {
    for (int i = 0; i < kItems; i++) PushTo(mine, i);
  });
  auto steal = [] {
    int item;
    for (int i = 0; i < 2; i++)
      if (Steal(mine, &item)) {
        assert(item < kForeign);
        assert(taken[item]++ == 0);
      }
  };
  std::thread first(steal), second(steal);
  owner.join(), first.join(), second.join();
}
