// A pipeline ends by poison pills: the last producer to end puts one for each consumer. A producer counts itself out before its last item.
// Interleaving: a producer has counted itself out and is interrupted; the other one is the last, and puts the pills; both consumers
// take one and leave before the item comes.
// bug: preemptions=1 threads=5
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static constexpr int kPill = 0, kItems = 2;
static std::mutex mutex;
static std::condition_variable not_empty;
static std::deque<int> queue;
static int producers = 2, sum;

static void Put(int item) {
  std::lock_guard<std::mutex> guard(mutex);
  queue.push_back(item);
  not_empty.notify_one();
}

static void Produce(int base) {
  for (int i = 0; i < kItems; i++) {
#ifdef FIXED
    Put(base + i);
#else
    if (i + 1 < kItems) Put(base + i);
#endif
  }
  bool last;
  {
    std::lock_guard<std::mutex> guard(mutex);
    last = --producers == 0;
  }
#ifndef FIXED
  Put(base + kItems - 1);  // moved behind the count by a refactoring
#endif
  if (last) Put(kPill), Put(kPill);
}

static void Consume() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    not_empty.wait(lock, [] { return !queue.empty(); });
    int item = queue.front();
    queue.pop_front();
    if (item == kPill) return;
    sum += item;
  }
}

int main() {
  std::thread a(Produce, 1), b(Produce, 10), c(Consume), d(Consume);
  a.join(), b.join(), c.join(), d.join();
  assert(sum == 1 + 2 + 10 + 11);
}
