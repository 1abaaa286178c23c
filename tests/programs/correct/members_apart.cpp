// Objects with a mutex and a condition variable as members, one for each thread. main makes them, joins the threads and
// destroys them: nothing that two threads do conflicts while both run, so there is one graph, and one execution.
// heddle: check
// expect: verdict=clean complete=true executions=1 redundant=0
// traces: 1 enumerated
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Box {
 public:
  void Put() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_one();
  }
  void Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ > 0; });
    --count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

}  // namespace

int main() {
  std::array<Box, 3> boxes;
  std::array<std::thread, 3> threads;
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&box = boxes[i]] {
      box.Put();
      box.Take();
    });
  }
  for (std::thread& thread : threads) thread.join();
}
