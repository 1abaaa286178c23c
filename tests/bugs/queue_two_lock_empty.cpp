// A queue with a lock for each end and a counter of items that both ends update. A consumer that finds the counter at 0 sleeps;
// a producer that raises it from 0 wakes, but looks at the counter before it takes the consumers' lock and not again.
// Interleaving: a consumer, with the lock, reads 0; the producer adds its item, reads 0 before adding, and signals; the consumer
// then waits: the signal came before. The producers' side must signal with the consumers' lock held.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static constexpr int kItems = 4;
static std::mutex put_lock, take_lock;
static std::condition_variable not_empty;
static std::atomic<int> count;
static int items[kItems], put_at, take_at;

static void Put(int item) {
  int before;
  {
    std::lock_guard<std::mutex> guard(put_lock);
    items[put_at++] = item;
    before = count++;
  }
  if (before == 0) {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(take_lock);
#endif
    not_empty.notify_one();
  }
}

static int Take() {
  std::unique_lock<std::mutex> guard(take_lock);
  while (count == 0) not_empty.wait(guard);
  int item = items[take_at++];
  if (count-- > 1) not_empty.notify_one();
  return item;
}

int main() {
  std::atomic<int> sum{0};
  auto produce = [](int base) {
    for (int i = 0; i < 2; i++) Put(base + i);
  };
  auto consume = [&] {
    for (int i = 0; i < 2; i++) sum += Take();
  };
  std::thread a(produce, 1), b(produce, 10), c(consume), d(consume);
  a.join(), b.join(), c.join(), d.join();
  assert(sum == 24);
}
