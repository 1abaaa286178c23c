// A bounded buffer whose consumers wait with `if` in place of `while`.
// Interleaving: a consumer waits; a producer adds an item and signals; a second consumer, who never waited, takes it first; the one that
// was woken takes from an empty buffer. Two producers and three consumers, and a capacity of two.
// bug: preemptions=0 threads=6
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static constexpr int kCapacity = 2, kEach = 2;
static std::mutex mutex;
static std::condition_variable not_full, not_empty;
static int count;

static void Produce(int items) {
  for (int i = 0; i < items; i++) {
    std::unique_lock<std::mutex> lock(mutex);
    while (count == kCapacity) not_full.wait(lock);
    count++;
    not_empty.notify_one();
  }
}

static void Consume(int items) {
  for (int i = 0; i < items; i++) {
    std::unique_lock<std::mutex> lock(mutex);
#ifdef FIXED
    while (count == 0) not_empty.wait(lock);
#else
    if (count == 0) not_empty.wait(lock);
#endif
    assert(count > 0);
    count--;
    not_full.notify_one();
  }
}

int main() {
  std::thread a(Produce, kEach), b(Produce, kEach), c(Consume, 1), d(Consume, 1), e(Consume, 2);
  a.join(), b.join(), c.join(), d.join(), e.join();
}
