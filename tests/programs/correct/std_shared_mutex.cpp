// std::shared_mutex and shared_timed_mutex: readers share, the writer is alone.
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: the reader has the mutex first, and so all it does comes first, 1. Or the writer has; then the writer tries
// the second lock first, and the reader gives up meanwhile or comes after it, 2; or the writer tries it while the
// reader has it, or after that, 2. 5.
// traces: 5 enumerated
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::shared_timed_mutex timed;
static int value, timed_value;

static void Read() {
  std::shared_lock lock(mutex);
  assert(value == 0 || value == 2);
  std::shared_lock timed_lock(timed, std::chrono::milliseconds(1));
  if (timed_lock) assert(timed_value <= 1);
}

static void Write() {
  std::unique_lock lock(mutex);
  value = 1;
  value = 2;
  lock.unlock();
  if (timed.try_lock()) {
    timed_value++;
    timed.unlock();
  }
}

int main() {
  std::thread reader(Read), writer(Write);
  reader.join();
  writer.join();
  assert(value == 2);
}
