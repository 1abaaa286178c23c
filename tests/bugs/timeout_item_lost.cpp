// A hand-over with a time limit: the producer puts an item into the slot and waits until it is taken, at most for a while; if not, it takes the
// item back. When the wait ends by its limit it does not look whether the item was taken at the last moment.
// Interleaving: the limit passes; before the producer has the lock again, the consumer takes the item; the producer reports a failure and the
// item is sent again: it is received twice.
// bug: preemptions=0 timeouts=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool full;
static int received, accepted;

static bool Offer() {
  std::unique_lock<std::mutex> lock(mutex);
  full = true;
  changed.notify_all();
  while (full) {
    if (changed.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout) {
#ifdef FIXED
      if (!full) return true;
#endif
      full = false;
      return false;
    }
  }
  return true;
}

static void Take() {
  std::unique_lock<std::mutex> lock(mutex);
  if (!full) changed.wait_for(lock, std::chrono::milliseconds(30));
  if (!full) return;
  full = false;
  received++;
  changed.notify_all();
}

int main() {
  std::thread producer([] {
    for (int i = 0; i < 2; i++)
      if (Offer()) accepted++;
  });
  std::thread first(Take), second(Take);
  producer.join(), first.join(), second.join();
  assert(received == accepted);
}
